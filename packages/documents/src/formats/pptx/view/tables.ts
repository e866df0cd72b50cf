import { type Box, ok, type Result } from '@filewright/protocol'
import type { DocumentTable, TableRow } from '../../../format.ts'
import { toCellValue } from '../../csv/values.ts'
import type { Deck, Slide } from '../slide/deck.ts'
import type { Shape } from '../slide/page.ts'
import { cellsOf, tableOf } from '../slide/table.ts'
import { bodyText } from '../slide/text.ts'

/** The tables of all slides for queries; a merged cell counts once, at its top left. */
export function tablesOfDeck(deck: Deck): Result<readonly DocumentTable[]> {
  return ok(deck.slides.flatMap(slide => slide.page.shapes.flatMap(shape => toTable(slide, shape))))
}

function toTable({ index }: Slide, shape: Shape): readonly DocumentTable[] {
  const table = tableOf(shape)
  if (!table) return []
  const { tree } = shape.page
  const cells = cellsOf(tree, table)
  const bottom = cells.at(-1)?.row ?? 0
  const right = cells.reduce((most, { column }) => Math.max(most, column), 0)
  if (bottom === 0 || right === 0) return []
  const box: Box = { top: 1, left: 1, bottom, right }
  function* rows(part: Box = box): Generator<TableRow> {
    for (let row = Math.max(1, part.top); row <= Math.min(part.bottom, bottom); row++) {
      const width = Math.min(part.right, right) - part.left + 1
      const values = new Array<TableRow['cells'][number]>(Math.max(0, width)).fill(null)
      for (const { node, row: own, column, isCovered } of cells) {
        const at = column - part.left
        const body = node.child('a:txBody')
        if (own === row && !isCovered && body && at >= 0 && at < width)
          values[at] = toCellValue(bodyText(tree, body), '.')
      }
      if (values.some(value => value !== null)) yield { row, cells: values }
    }
  }
  const isHeader = tree.attribute(table.child('a:tblPr'), 'firstRow') === '1'
  const own = {
    name: `slide ${index} table ${shape.key}`,
    region: { slide_index: index },
    box,
    rows,
  }
  return [isHeader ? { ...own, headerRow: 1 } : own]
}
