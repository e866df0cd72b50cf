import type { Box, Fields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, cellKey, placeOf } from '../../cell/address.ts'
import { type CellContent, type CellNow, EMPTY_CONTENT } from '../../cell/cells.ts'
import type { Editor } from '../editor.ts'
import { refuseTooMany } from '../guards.ts'
import { columnIn } from '../rows/rows-where.ts'
import { rangeOf } from '../rows/sort.ts'
import { refuseUnknown, shownIn } from '../values.ts'

/** A value, and the style of the cell that it comes from: its number format comes along. */
export interface Placed {
  readonly content: CellContent
  readonly style: number
}

/** A range whose first row is its header, with what its cells show. */
export interface Source {
  readonly sheet: Sheet
  readonly box: Box
  readonly columns: readonly number[]
  /** The rows below the header that hold anything. */
  readonly rows: readonly number[]
  readonly at: (row: number, column: number) => Placed
}

export function sourceOf(editor: Editor, sheet: Sheet, fields: Fields): Source {
  const box = rangeOf(editor, sheet, fields)
  refuseTooMany(box, String(fields.op))
  if (box.top === box.bottom)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op}: ${placeOf(sheet.name, boxName(box))} has no row below its header`,
    )
  const cells = shownIn(editor, sheet, box)
  const why = 'there is no value to take'
  for (const cell of cells.values())
    refuseUnknown(editor, sheet, cell, { why, instead: 'leave it out of the range' })
  const at = (row: number, column: number) => placed(cells.get(cellKey(row, column)))
  const columns = between(box.left, box.right)
  const rows = between(box.top + 1, box.bottom).filter(row =>
    columns.some(column => at(row, column).content.type !== 'empty'),
  )
  return { sheet, box, columns, rows, at }
}

/** Columns by letter or header: a list, or names with commas between. */
export function columnsField(
  editor: Editor,
  { sheet, box }: Source,
  given: unknown,
): readonly number[] {
  const list = Array.isArray(given) ? given : given === undefined ? [] : String(given).split(',')
  return list.map(own => columnIn(editor, sheet, box, own))
}

/** Equal for cells that show the same; texts whatever their case. */
export function keyOf({ type, value }: CellContent): string {
  return `${type[0]}${type === 'text' ? value.toLowerCase() : value}`
}

function placed(cell: CellNow | undefined): Placed {
  if (!cell) return { content: EMPTY_CONTENT, style: 0 }
  const { content, style } = cell
  const isRich = content.type === 'text' && (content.runs ?? content.xml) !== undefined
  return { content: isRich ? { type: 'text', value: content.value } : content, style }
}

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
