import type { Box } from '@filewright/protocol'
import { columnName } from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'

const MOST_GAPS = 8 // columns without content that a table shows all the same

/** What one read shows of a region. */
export interface CellPage {
  readonly rows: readonly PageRow[]
  /** The part of the region that the page covers. */
  readonly box: Box
  readonly rest?: Box
  /** The rows below it when only some of the columns fit. */
  readonly later?: Box
  readonly columns: readonly number[]
}

export interface PageRow {
  readonly row: number
  readonly cells: readonly { readonly cell: CellNow; readonly text: string }[]
}

/** Columns without content are easily counted wrongly where they are missing, and few of them cost little. */
function withGaps(columns: readonly number[]): readonly number[] {
  const [first, last] = [columns[0]!, columns.at(-1)!]
  if (last - first + 1 - columns.length > MOST_GAPS) return columns
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The gaps of a table that shows only columns with content: `D:F`. */
function leftOutOf(columns: readonly number[]): readonly string[] {
  return columns.flatMap((column, index) => {
    const next = columns[index + 1]
    if (next === undefined || next === column + 1) return []
    const [from, to] = [columnName(column + 1), columnName(next - 1)]
    return [from === to ? from : `${from}:${to}`]
  })
}

/** A line for each row, under the letters of its columns; where few cells are filled, each with its column. */
export function renderTable(page: CellPage): {
  readonly text: string
  readonly left: readonly string[]
} {
  const filled = page.rows.reduce((sum, { cells }) => sum + cells.length, 0)
  const isSparse = page.columns.length > 8 && filled * 4 < page.rows.length * page.columns.length
  if (isSparse) {
    const lines = page.rows.map(
      ({ row, cells }) =>
        `${row}|${cells.map(({ cell, text }) => `${columnName(cell.column)}: ${text}`).join('|')}`,
    )
    return { text: lines.join('\n'), left: [] }
  }
  const columns = withGaps(page.columns)
  const lines = [`|${columns.map(columnName).join('|')}`]
  for (const { row, cells } of page.rows) {
    const byColumn = new Map(cells.map(({ cell, text }) => [cell.column, text]))
    const last = cells.at(-1)!.cell.column
    const shown = columns.filter(column => column <= last).map(column => byColumn.get(column) ?? '')
    lines.push(`${row}|${shown.join('|')}`)
  }
  return { text: lines.join('\n'), left: leftOutOf(columns) }
}
