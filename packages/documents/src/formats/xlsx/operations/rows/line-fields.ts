import type { Fields, Operation } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import { columnNumber } from '../../cell/address.ts'
import { type LineShift, lastLine } from '../../places/line-shift.ts'

/** The lines that `insert_rows` or `insert_columns` asks for. */
export function insertedLines(fields: Fields, axis: LineShift['axis']): LineShift {
  const run = { at: lineField(fields, axis), count: countField(fields) }
  return { axis, kind: 'insert', runs: [run] }
}

/** Undefined for every other operation. */
export function linesInsertedBy(operation: Operation): LineShift | undefined {
  if (operation.op === 'insert_rows') return insertedLines(operation, 'row')
  return operation.op === 'insert_columns' ? insertedLines(operation, 'column') : undefined
}

export function lineField(fields: Fields, axis: LineShift['axis']): number {
  const value = fields.at ?? fields.before ?? fields[axis]
  const line = toLine(value, axis)
  if (line !== undefined) return line
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op} needs at, the ${axis} that the first new one becomes, such as ${axis === 'row' ? '5' : '"C"'}${value === undefined ? '' : `; it is ${JSON.stringify(value)}`}`,
  )
}

export function toLine(value: unknown, axis: LineShift['axis']): number | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 1 && value <= lastLine({ axis }) ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim().replaceAll('$', '')
  const line =
    axis === 'column' && /^[A-Za-z]{1,3}$/.test(text)
      ? columnNumber(text)
      : /^\d{1,7}$/.test(text)
        ? Number(text)
        : 0
  return line >= 1 && line <= lastLine({ axis }) ? line : undefined
}

const MOST_LINES = 100_000

export function countField(fields: Fields): number {
  const value = fields.count ?? 1
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_LINES)
    return value
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: count is a number between 1 and ${MOST_LINES}, not ${JSON.stringify(value)}`,
  )
}
