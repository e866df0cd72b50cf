import { chartLines } from '../../../charts/chart.ts'
import { chartOf } from '../slide/chart.ts'
import type { Slide } from '../slide/deck.ts'
import { diagramTexts } from '../slide/diagram.ts'
import type { Shape } from '../slide/page.ts'
import { cellsIn, cellsOf, columnsOf, rowsOf, tableOf } from '../slide/table.ts'
import { bodyText, indentedText } from '../slide/text.ts'

/** The text of a shape as lines; empty where it says nothing. */
export function shapeLines(slide: Slide, shape: Shape): readonly string[] {
  const { tree } = shape.page
  if (shape.body) {
    const text = indentedText(tree, shape.body)
    return text.trim() === '' ? [] : text.split('\n')
  }
  if (shape.kind === 'table') return tableLines(shape)
  if (shape.kind === 'chart') {
    const chart = chartOf(slide.deck, shape)
    return chart ? chartLines(chart) : []
  }
  if (shape.kind === 'diagram')
    return diagramTexts(slide.deck, shape).map(text => `• ${text.replaceAll('\n', ' / ')}`)
  return []
}

/** A row is a line; `<` and `^` stand for cells that are merged to the left and above. */
function tableLines(shape: Shape): readonly string[] {
  const table = tableOf(shape)
  if (!table) return []
  const { tree } = shape.page
  return rowsOf(table).map(row =>
    cellsIn(row)
      .map(cell => {
        if (tree.attribute(cell, 'hMerge') === '1') return '<'
        if (tree.attribute(cell, 'vMerge') === '1') return '^'
        const body = cell.child('a:txBody')
        return body ? bodyText(tree, body).replaceAll('\n', '⏎').replaceAll('|', '\\|') : ''
      })
      .join(' | '),
  )
}

/** What a shape is, in a few words: `table 3 × 4`, `title`, `bar chart`. */
export function describeShape(slide: Slide, shape: Shape): string {
  const role = shape.placeholder ? ` (${shape.placeholder.type} placeholder)` : ''
  const table = tableOf(shape)
  if (table) {
    const rows = rowsOf(table).length
    const isMerged = cellsOf(shape.page.tree, table).some(({ isCovered }) => isCovered)
    return `table ${rows} × ${columnsOf(table).length}${isMerged ? ', merged cells' : ''}${role}`
  }
  if (shape.kind === 'chart') {
    const chart = chartOf(slide.deck, shape)
    return `${chart ? `${chart.type} chart` : 'chart of a newer kind'}${role}`
  }
  if (shape.kind === 'diagram') return `SmartArt${role}`
  return `${shape.kind}${role}`
}
