import type { Operation } from '@filewright/protocol'
import type { TableCell } from '../../../format.ts'
import type { WrittenTable } from '../../../table-query.ts'

/** A sheet that is created if it is missing, with a row of names and the rows. */
export function writeSheet({
  columns,
  rows,
  table = 'Sheet1',
  start = 'A1',
}: WrittenTable): readonly Operation[] {
  const values = [columns, ...rows.map(row => row.map(toValue))]
  return [
    { op: 'ensure_sheet', sheet: table },
    { op: 'set_range', sheet: table, start, values },
  ]
}

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?$/

/** Dates come out of a query as ISO text. */
function toValue(cell: TableCell): unknown {
  return typeof cell === 'string' && DATE.test(cell) ? { date: cell } : cell
}
