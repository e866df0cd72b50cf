import { type Box, ok, type Result } from '@filewright/protocol'
import type { DocumentTable, TableRow } from '../../../format.ts'
import type { LiveNode } from '../../../opc/index.ts'
import { toCellValue } from '../../csv/values.ts'
import type { Manuscript } from '../story/manuscript.ts'
import type { Paragraph, TableSpot } from '../story/story.ts'
import { plainText } from './show.ts'
import { cellsOf, type GridCell, rowsOf } from './table-shape.ts'

const MOST_COLUMNS = 1_000

/** The tables of the body for queries; a merged cell counts once, at its top left. */
export function tablesOfDocument({ body }: Manuscript): Result<readonly DocumentTable[]> {
  const byCell = new Map<LiveNode, Paragraph[]>()
  for (const paragraph of body.paragraphs) {
    if (!paragraph.cell || paragraph.box) continue
    const known = byCell.get(paragraph.cell)
    if (known) known.push(paragraph)
    else byCell.set(paragraph.cell, [paragraph])
  }
  return ok(body.tables.flatMap(table => toTable(table, byCell)))
}

function toTable(
  { id, node, story }: TableSpot,
  byCell: ReadonlyMap<LiveNode, readonly Paragraph[]>,
): readonly DocumentTable[] {
  const { tree } = story
  const isThere = rowsOf(node).map(row => !row.child('w:trPr')?.child('w:del'))
  const rows: (GridCell[] | undefined)[] = []
  let right = 0
  for (const cell of cellsOf(tree, node)) {
    if (!isThere[cell.row] || cell.column >= MOST_COLUMNS) continue
    ;(rows[cell.row] ??= []).push(cell)
    right = Math.max(right, Math.min(MOST_COLUMNS, cell.column + cell.span))
  }
  const shown = rows.filter(row => row !== undefined)
  if (shown.length === 0 || right === 0) return []
  const box: Box = { top: 1, left: 1, bottom: shown.length, right }
  const isHeader = rowsOf(node)[0]?.child('w:trPr')?.child('w:tblHeader') !== undefined
  const textOf = (cell: GridCell) =>
    (byCell.get(cell.node) ?? []).map(paragraph => plainText(paragraph)).join('\n')
  function* rowsIn({ top, left, bottom, right: last }: Box = box): Generator<TableRow> {
    for (let row = Math.max(1, top); row <= Math.min(bottom, shown.length); row++) {
      const width = Math.min(last, right) - left + 1
      const cells = new Array<TableRow['cells'][number]>(Math.max(0, width)).fill(null)
      for (const cell of shown[row - 1]!) {
        const at = cell.column + 1 - left
        if (!cell.isContinued && at >= 0 && at < width) cells[at] = toCellValue(textOf(cell), '.')
      }
      if (cells.some(value => value !== null)) yield { row, cells }
    }
  }
  const table = { name: id, region: { section: id }, box, rows: rowsIn }
  return [isHeader ? { ...table, headerRow: 1 } : table]
}
