import type { TableValue } from '../../../../fields/shared-fields.ts'
import { invalid } from '../../edit/editor.ts'

/** The text of a cell; null leaves it as it is. */
export type CellText = string | null

const MOST_ROWS = 5_000
const MOST_CELLS = 50_000

export type GivenValues = readonly (TableValue | readonly TableValue[])[]

/** Rows of values. A plain list is one row, or one column where `flat` says so. */
export function rowsIn(
  values: GivenValues,
  op: string,
  flat: 'row' | 'column' = 'row',
): readonly CellText[][] {
  const isFlat = values.every(value => !Array.isArray(value))
  const rows = isFlat && flat === 'row' ? [values] : values
  const read = rows.map(row => ([row].flat() as readonly TableValue[]).map(textOf))
  if (read.length > MOST_ROWS || read.reduce((sum, row) => sum + row.length, 0) > MOST_CELLS)
    throw invalid(`${op}: a table takes at most ${MOST_ROWS} rows and ${MOST_CELLS} cells at once`)
  return read
}

export function textOf(value: TableValue): CellText {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n')
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return value === null ? null : String(value)
}

/** How many rows or columns to insert where no values say it. */
export function checkedCount(count: number, op: string): number {
  if (count >= 1 && count <= MOST_ROWS) return count
  throw invalid(`${op}: count is a number from 1 to ${MOST_ROWS}`)
}
