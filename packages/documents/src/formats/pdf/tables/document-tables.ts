import type { Box } from '@filewright/protocol'
import type { DocumentTable, TableCell, TableRow } from '../../../format.ts'
import { decimalOf, toCellValue } from '../../csv/values.ts'
import { describePages } from '../page/page-range.ts'
import { goesOn, type TabledPage } from './tabled-page.ts'

/** What one page holds of a table. */
export interface TableStretch {
  /** By the page where the table begins, and its place there. */
  readonly name: string
  readonly page: number
  /** Without a head that is repeated on each page. */
  readonly rows: readonly (readonly string[])[]
  /** Of the whole table, counted from 1. */
  readonly firstRow: number
  /** It began on a page before; it goes on over the next. */
  readonly isFromBefore: boolean
  readonly goesOn: boolean
}

/** A table that goes on over the next page is one table, whoever asks. */
export function partsOf(pages: readonly TabledPage[]): TableStretch[] {
  const parts: TableStretch[] = []
  let head = ''
  for (const [at, tabled] of pages.entries()) {
    const isFromBefore = goesOn(pages[at - 1], tabled)
    for (const [index, { rows }] of tabled.tables.entries()) {
      const before = index === 0 && isFromBefore ? parts.at(-1)! : undefined
      const first = rows[0]!.join('|')
      if (!before) head = first
      const own = before && first === head ? rows.slice(1) : rows
      const isLast = index === tabled.tables.length - 1
      parts.push({
        name: before?.name ?? `page ${tabled.page} table ${index + 1}`,
        page: tabled.page,
        rows: own,
        firstRow: before ? before.firstRow + before.rows.length : 1,
        isFromBefore: before !== undefined,
        goesOn: isLast && goesOn(tabled, pages[at + 1]),
      })
    }
  }
  return parts
}

export function joinTables(pages: readonly TabledPage[]): DocumentTable[] {
  const tables: TableStretch[][] = []
  for (const part of partsOf(pages))
    if (part.isFromBefore) tables.at(-1)!.push(part)
    else tables.push([part])
  return tables.map(toTable)
}

function toTable(parts: readonly TableStretch[]): DocumentTable {
  const rows = parts.flatMap(part => part.rows)
  const columns = Math.max(0, ...rows.map(row => row.length))
  const box: Box = { top: 1, left: 1, bottom: rows.length, right: columns }
  const decimal = decimalOf(rows)
  function* values({ top, left, bottom, right }: Box = box): Generator<TableRow> {
    for (let row = Math.max(1, top); row <= Math.min(bottom, rows.length); row++) {
      const cells = rows[row - 1]!.slice(left - 1, right).map(
        (cell): TableCell => toCellValue(cell, decimal),
      )
      if (cells.some(cell => cell !== null)) yield { row, cells }
    }
  }
  return {
    name: parts[0]!.name,
    region: { pages: describePages(parts.map(({ page }) => page)) },
    box,
    rows: values,
  }
}
