import type { Fields, Operation } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import { columnNumber, MAX_COLUMN, MAX_ROW, parseBox } from '../../cell/address.ts'
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

const MOST_RESIZED = 20_000 // rows or columns that one operation may size or hide one by one

/** `"5:7"`, `"C"`: a run of rows or columns. */
export function parseLines(
  axis: 'rows' | 'columns',
  given: unknown,
): { first: number; last: number } {
  const text = String(given).trim()
  const box = parseBox(text.includes(':') ? text : `${text}:${text}`)
  const isRows = box !== undefined && box.left === 1 && box.right === MAX_COLUMN
  const isColumns = box !== undefined && box.top === 1 && box.bottom === MAX_ROW
  if (!box || (axis === 'rows' ? !isRows : !isColumns))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${JSON.stringify(given)} is not a run of ${axis} such as ${axis === 'rows' ? '"5" or "5:7"' : '"C" or "C:E"'}; ${axis} that are not adjacent take one operation each`,
    )
  const [first, last] = axis === 'rows' ? [box.top, box.bottom] : [box.left, box.right]
  refuseLines(axis, first, last)
  return { first, last }
}

export function refuseLines(axis: 'rows' | 'columns', first: number, last: number): void {
  if (last - first >= MOST_RESIZED)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${first}:${last} names ${last - first + 1} ${axis}, and one operation takes ${MOST_RESIZED}`,
    )
}
