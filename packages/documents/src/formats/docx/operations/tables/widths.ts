import type { LiveNode } from '../../../../opc/index.ts'
import { setProperty } from '../../edit/properties.ts'
import { numberOf } from '../../parts/values.ts'
import { gridOf, type TableGrid } from './grid.ts'
import { cellProperties } from './new-cells.ts'

const FALLBACK = 1_440 // twentieths of a point, where a grid names no width

/** The widths of the columns in twentieths of a point, as the grid has them. */
export function widthsOf({ table: { story, node }, columns }: TableGrid): readonly number[] {
  const named = gridColumns(node).map(
    column => numberOf(story.tree.attribute(column, 'w:w')) ?? FALLBACK,
  )
  return Array.from({ length: columns }, (_, at) => Math.max(0, named[at] ?? FALLBACK))
}

function gridColumns(table: LiveNode): readonly LiveNode[] {
  return table.child('w:tblGrid')?.children.filter(({ name }) => name === 'w:gridCol') ?? []
}

/** Writes the grid anew, and the width of every cell that has one of its own. */
export function setWidths(grid: TableGrid, widths: readonly number[], all = false): void {
  const { story, node } = grid.table
  const { tree } = story
  let own = node.child('w:tblGrid')
  if (!own) {
    const [made] = tree.fragment('<w:tblGrid/>')
    const properties = node.child('w:tblPr')
    tree.insert(node, properties ? properties.index + 1 : 0, [made!])
    own = made!
  }
  tree.setChildren(
    own,
    widths.flatMap(width => tree.fragment(`<w:gridCol w:w="${Math.round(width)}"/>`)),
  )
  for (const { node: cell, column, span } of gridOf(grid.table).cells.flat()) {
    const type = tree.attribute(cell.child('w:tcPr')?.child('w:tcW'), 'w:type')
    if (!all && (type === undefined || type === 'auto' || type === 'nil')) continue
    const width = widths.slice(column, column + span).reduce((sum, each) => sum + each, 0)
    setProperty(
      tree,
      cellProperties(tree, cell),
      `<w:tcW w:w="${Math.round(width)}" w:type="dxa"/>`,
    )
  }
}
