import type { Box } from '@filewright/protocol'
import type { DocumentTable, TableCell, TableRow } from '../../../format.ts'
import { decimalOf, toCellValue } from '../../csv/values.ts'
import { describePages } from '../page/page-range.ts'
import type { PageTable } from './page-table.ts'

/** The tables of one page, and where its text begins and ends. */
export interface TabledPage {
  readonly page: number
  readonly tables: readonly PageTable[]
  /** Nothing but a running head stands above the first table, nothing but a foot below the last. */
  readonly startsWithTable: boolean
  readonly endsWithTable: boolean
}

interface JoinedTable {
  readonly pages: number[]
  readonly rows: (readonly string[])[]
  readonly columns: readonly number[]
}

/** A table that goes on over the next page is one table; a head that is repeated there is left out. */
export function joinTables(pages: readonly TabledPage[]): DocumentTable[] {
  const joined: JoinedTable[] = []
  let open: JoinedTable | undefined
  for (const { page, tables, startsWithTable, endsWithTable } of pages) {
    for (const [index, table] of tables.entries()) {
      const goesOn =
        index === 0 && startsWithTable && open && isSame(open, table) ? open : undefined
      const own = goesOn ?? { pages: [], rows: [], columns: table.columns }
      if (!goesOn) joined.push(own)
      const isRepeated = goesOn && table.rows[0]!.join('|') === goesOn.rows[0]!.join('|')
      own.pages.push(page)
      own.rows.push(...(isRepeated ? table.rows.slice(1) : table.rows))
      open = index === tables.length - 1 && endsWithTable ? own : undefined
    }
    if (tables.length === 0) open = undefined
  }
  return joined.map((table, index) => toTable(table, index + 1))
}

const NEAR = 6 // points

function isSame({ columns, pages }: JoinedTable, table: PageTable): boolean {
  return (
    pages.length > 0 &&
    columns.length === table.columns.length &&
    columns.every((at, index) => Math.abs(at - table.columns[index]!) < NEAR)
  )
}

function toTable({ pages, rows, columns }: JoinedTable, number: number): DocumentTable {
  const box: Box = { top: 1, left: 1, bottom: rows.length, right: columns.length }
  const decimal = decimalOf(rows)
  function* values({ top, left, bottom, right }: Box = box): Generator<TableRow> {
    for (let row = Math.max(1, top); row <= Math.min(bottom, rows.length); row++) {
      const cells = rows[row - 1]!.slice(left - 1, right).map(
        (cell): TableCell => toCellValue(cell, decimal),
      )
      if (cells.some(cell => cell !== null)) yield { row, cells }
    }
  }
  const range = describePages(pages)
  return {
    name: `table ${number} (page ${range})`,
    region: { pages: range },
    box,
    rows: values,
  }
}
