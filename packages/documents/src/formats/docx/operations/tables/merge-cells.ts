import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { setProperty } from '../../edit/properties.ts'
import { placeOf } from '../../story/places.ts'
import type { GridCell } from '../../view/table-shape.ts'
import {
  anchorOf,
  columnAt,
  gridOf,
  paragraphsIn,
  rowAt,
  type TableGrid,
  tableFor,
  textIn,
} from './grid.ts'
import { cellProperties } from './new-cells.ts'
import { widthsOf } from './widths.ts'

interface Area {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** Merges the cells between two corners; their text stands below one another in the first. */
export function mergeCells(editor: DocumentEditor, args: DocumentArgs<'merge_table_cells'>) {
  const table = tableFor(editor, args.table)
  const corners = editor.resolve('corners', () => cornersOf(gridOf(table), args))
  const place = `${placeOf(table.id)} merged ${corners.area}`
  if (editor.accepts(place)) {
    editor.untracked('Merging cells')
    merge(editor, table.id, corners, place)
  }
  return {
    op: 'merge_table_cells',
    message: `Merged the cells ${corners.area} of ${table.id}.`,
    table: table.id,
  }
}

interface Corners {
  /** Paragraphs that stand for the two corners. */
  readonly first: string
  readonly last: string
  readonly area: string
}

function cornersOf(
  grid: TableGrid,
  { row, column, to_row = row, to_column = column }: DocumentArgs<'merge_table_cells'>,
): Corners {
  const rows = [rowAt(grid, row, 'row'), rowAt(grid, to_row, 'to_row')].sort((a, b) => a - b)
  const columns = [columnAt(grid, column, 'column'), columnAt(grid, to_column, 'to_column')].sort(
    (a, b) => a - b,
  )
  if (rows[0] === rows[1] && columns[0] === columns[1])
    throw invalid('merge_table_cells needs two corners: row and column, to_row and to_column')
  const node = (at: number, across: number) =>
    grid.cells[at]?.find(cell => cell.column <= across && across < cell.column + cell.span)?.node
  return {
    first: anchorOf(grid, node(rows[0]!, columns[0]!)),
    last: anchorOf(grid, node(rows[1]!, columns[1]!)),
    area: `row ${rows[0]! + 1} column ${columns[0]! + 1} to row ${rows[1]! + 1} column ${columns[1]! + 1}`,
  }
}

function merge(editor: DocumentEditor, tableId: string, corners: Corners, place: string): void {
  const grid = gridOf(
    editor.manuscript.stories.flatMap(story => story.tables).find(({ id }) => id === tableId)!,
  )
  const area = areaOf(grid, corners)
  const rows = grid.cells.slice(area.top, area.bottom + 1).map(row => inArea(grid, row, area))
  const cells = rows.flat()
  const change = {
    kind: 'table',
    place,
    keys: [
      `${tableId} columns`,
      ...cells.flatMap(({ node }) => paragraphsIn(grid, node).map(({ id }) => id)),
    ],
    reads: [tableId],
    before: { text: cells.map(({ node }) => textIn(grid, node)).join(' | ') },
    after: () => ({ text: textIn(gridOf(grid.table), rows[0]![0]!.node) }),
    description: `cells of ${tableId} merged`,
    atomic: true,
  }
  editor.change(change, () => {
    joinCells(grid, rows, area)
    return true
  })
}

function areaOf(grid: TableGrid, { first, last }: Corners): Area {
  const find = (id: string) => {
    const cell = grid.table.story.paragraph(id)?.cell
    return grid.cells.flat().find(({ node }) => node === cell)
  }
  const [from, to] = [find(first), find(last)]
  if (!from || !to) throw new Refusal('NO_SUCH_REGION', 'these cells are not there any more')
  return {
    top: from.row,
    left: Math.min(from.column, to.column),
    bottom: to.row,
    right: Math.max(from.column + from.span, to.column + to.span) - 1,
  }
}

/** The cells of a row in the area; one that reaches beyond it cannot be merged. */
function inArea(grid: TableGrid, row: readonly GridCell[], area: Area): readonly GridCell[] {
  const cells = row.filter(
    ({ column, span }) => column <= area.right && column + span - 1 >= area.left,
  )
  const number = (row[0]?.row ?? 0) + 1
  for (const cell of cells) {
    const isAcross = cell.column < area.left || cell.column + cell.span - 1 > area.right
    const isAbove = cell.row === area.top && cell.isContinued
    const below = grid.cells[area.bottom + 1]?.find(({ column }) => column === cell.column)
    const isBelow = cell.row === area.bottom && below?.isContinued === true
    if (isAcross || isAbove || isBelow)
      throw invalid(
        `a cell of row ${number} in ${grid.table.id} is merged with cells outside the area; choose an area that holds all of it`,
      )
  }
  const covered = cells.reduce((sum, { span }) => sum + span, 0)
  if (covered !== area.right - area.left + 1)
    throw invalid(`row ${number} of ${grid.table.id} has no cells for all of the area`)
  return cells
}

function joinCells(grid: TableGrid, rows: readonly (readonly GridCell[])[], area: Area): void {
  const { tree } = grid.table.story
  const widths = widthsOf(grid).slice(area.left, area.right + 1)
  const width = Math.round(widths.reduce((sum, own) => sum + own, 0))
  const target = rows[0]![0]!.node
  const moved = rows.flat().flatMap(({ node }) => (node === target ? [] : takeContent(grid, node)))
  if (moved.length > 0 && takeContent(grid, target, 'look').length === 0)
    for (const { node } of paragraphsIn(grid, target)) if (node.parent === target) tree.remove(node)
  tree.append(target, moved)
  if (target.children.at(-1)?.name !== 'w:p') tree.append(target, tree.fragment('<w:p/>'))
  const columns = area.right - area.left + 1
  for (const [down, row] of rows.entries()) {
    const [first, ...others] = row
    for (const { node } of others) tree.remove(node)
    const properties = cellProperties(tree, first!.node)
    if (columns > 1) {
      setProperty(tree, properties, `<w:gridSpan w:val="${columns}"/>`)
      if (properties.child('w:tcW'))
        setProperty(tree, properties, `<w:tcW w:w="${width}" w:type="dxa"/>`)
    }
    if (rows.length > 1)
      setProperty(tree, properties, down === 0 ? '<w:vMerge w:val="restart"/>' : '<w:vMerge/>')
  }
}

/** Takes the blocks out of a cell that say something; one empty paragraph stays where all went. */
function takeContent(grid: TableGrid, cell: LiveNode, mode: 'take' | 'look' = 'take'): LiveNode[] {
  const { tree } = grid.table.story
  const own = paragraphsIn(grid, cell)
  const isEmpty = (node: LiveNode) =>
    node.name === 'w:p' &&
    node.children.every(({ name }) => name === '' || name === 'w:pPr' || name === 'w:proofErr') &&
    own.some(paragraph => paragraph.node === node)
  const blocks = cell.children.filter(
    node => node.name !== '' && node.name !== 'w:tcPr' && !isEmpty(node),
  )
  if (mode === 'look' || blocks.length === 0) return blocks
  for (const node of blocks) tree.remove(node)
  if (!cell.children.some(({ name }) => name === 'w:p')) tree.append(cell, tree.fragment('<w:p/>'))
  return blocks
}
