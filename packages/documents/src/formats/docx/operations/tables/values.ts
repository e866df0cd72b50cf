import type { Fields } from '@filewright/protocol'
import { invalid } from '../../edit/editor.ts'

/** The text of a cell; null leaves it as it is. */
export type CellText = string | null

const MOST_ROWS = 5_000
const MOST_CELLS = 50_000

/** Rows of values. A plain list is one row, or one column where `flat` says so. */
export function rowsField(fields: Fields, flat: 'row' | 'column' = 'row'): readonly CellText[][] {
  const { op, values } = fields
  if (!Array.isArray(values) || values.length === 0)
    throw invalid(`${op} needs values: rows such as [["Name", "Amount"], ["Ann", 12]]`)
  const isFlat = values.every(value => !Array.isArray(value))
  const rows = isFlat && flat === 'row' ? [values] : values
  const read = rows.map(row => (Array.isArray(row) ? row : [row]).map(value => textOf(op, value)))
  if (read.length > MOST_ROWS || read.reduce((sum, row) => sum + row.length, 0) > MOST_CELLS)
    throw invalid(`${op}: a table takes at most ${MOST_ROWS} rows and ${MOST_CELLS} cells at once`)
  return read
}

export function textOf(op: unknown, value: unknown): CellText {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n')
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  throw invalid(`${op}: a value is a text, a number, true, false or null`)
}

/** How many rows or columns to insert. */
export function countField({ op, count }: Fields): number {
  if (count === undefined || count === null) return 1
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MOST_ROWS)
    return count
  throw invalid(`${op}: count is a number from 1 to ${MOST_ROWS}`)
}
