import type { Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { showCell } from '../../book/show.ts'
import { cellName } from '../../cell/address.ts'
import { EMPTY_CONTENT } from '../../cell/cells.ts'
import { gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { writeBlock } from './block.ts'
import { columnsField, keyOf, type Placed, type Source, sourceOf } from './source.ts'

const TOGETHER = ['sum', 'count', 'average', 'min', 'max', 'first', 'join'] as const
type Together = (typeof TOGETHER)[number]

/** A value and the cell that it comes from. */
interface Found extends Placed {
  readonly row: number
  readonly column: number
}

/** Rows become columns: one row for each key, one column for each value of a column. */
export function pivotRows(editor: Editor, fields: Fields): OperationResult {
  const source = sourceOf(editor, gridField(editor.book, fields), fields)
  const { rows, at, box } = source
  const keys = columnsField(editor, source, fields.rows)
  const [across, ...more] = columnsField(editor, source, fields.columns)
  const [value, ...others] = columnsField(editor, source, fields.values)
  const isGiven = keys.length > 0 && value !== undefined && more.length + others.length === 0
  if (!isGiven)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'pivot_rows needs rows, the columns that stay, such as ["Region"], values, the column of the values, and columns, whose values become headers; without columns the values of a group come together',
    )
  const heads = new Map<string, Placed>()
  const lines = new Map<string, { readonly row: number; readonly cells: Map<string, Found[]> }>()
  for (const row of rows) {
    const key = JSON.stringify(keys.map(column => keyOf(at(row, column).content)))
    const line = lines.get(key) ?? { row, cells: new Map<string, Found[]>() }
    lines.set(key, line)
    const head = across === undefined ? at(box.top, value) : at(row, across)
    const name = across === undefined ? '' : keyOf(head.content)
    if (!heads.has(name)) heads.set(name, head)
    const own = { ...at(row, value), row, column: value }
    if (own.content.type === 'empty') continue
    line.cells.set(name, [...(line.cells.get(name) ?? []), own])
  }
  const join = togetherOf(editor, source, fields)
  const header = [...keys.map(column => at(box.top, column)), ...heads.values()]
  const body = [...lines.values()].map(({ row, cells }) => [
    ...keys.map(column => at(row, column)),
    ...[...heads.keys()].map(name => join(cells.get(name) ?? [])),
  ])
  return writeBlock(editor, source, [header, ...body], fields)
}

/** One value of those that meet in a cell. */
function togetherOf(
  editor: Editor,
  source: Source,
  fields: Fields,
): (found: readonly Found[]) => Placed {
  const asked = fields.function
  const kind = TOGETHER.find(own => own === asked)
  if (asked !== undefined && !kind)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `pivot_rows: function is one of ${TOGETHER.join(', ')}, not ${JSON.stringify(asked)}`,
    )
  const separator = typeof fields.separator === 'string' ? fields.separator : ', '
  return found => {
    const [first, second] = found
    if (!first) return { content: EMPTY_CONTENT, style: 0 }
    if (!kind && second) refuseSeveral(first, second)
    if (!kind || kind === 'first') return first
    if (kind === 'count') return { content: { type: 'number', value: found.length }, style: 0 }
    if (kind === 'join') {
      const value = found.map(own => showCell(editor.book, own).text).join(separator)
      return { content: { type: 'text', value }, style: 0 }
    }
    const numbers = found.map(own => numberOf(own, source, kind))
    return { content: { type: 'number', value: calculated(kind, numbers) }, style: first.style }
  }
}

function refuseSeveral(first: Found, second: Found): never {
  throw new Refusal(
    'CONFLICT',
    `pivot_rows: ${cellName(first.row, first.column)} and ${cellName(second.row, second.column)} would come to the same cell; send function, one of ${TOGETHER.join(', ')}, or more columns as rows`,
  )
}

function numberOf({ content, row, column }: Found, { sheet }: Source, kind: Together): number {
  if (content.type === 'number') return content.value
  throw new Refusal(
    'CONFLICT',
    `pivot_rows: ${cellName(row, column)} on ${JSON.stringify(sheet.name)} is ${JSON.stringify(content.value)}, which has no ${kind}; function may be count, first or join`,
  )
}

function calculated(kind: Together, numbers: readonly number[]): number {
  if (kind === 'min') return numbers.reduce((a, b) => Math.min(a, b))
  if (kind === 'max') return numbers.reduce((a, b) => Math.max(a, b))
  const sum = numbers.reduce((a, b) => a + b, 0)
  return Number((kind === 'average' ? sum / numbers.length : sum).toPrecision(15))
}
