import { counted } from '@filewright/protocol'
import type { TableValue } from '../../../../fields/shared-fields.ts'
import { type LiveNode, numberAt } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { coveredBy, warnOfCovered } from '../../edit/covered.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { flagAt, toPoints } from '../../parts/values.ts'
import { boxOf } from '../../slide/inherit.ts'
import { cellsIn, rowsOf } from '../../slide/table.ts'
import {
  emptyLike,
  gridOf,
  growFrame,
  lineOf,
  linesIn,
  renumber,
  restructure,
  type SlideTable,
  setSpan,
  spanOf,
  valueText,
} from './grid.ts'

/** Inserts rows that look like their neighbour. */
export function insertTableRows(editor: DeckEditor, args: DeckArgs<'insert_table_rows'>) {
  const grid = gridOf(editor, args)
  const after = editor.resolve('after', () => positionOf(grid, args))
  const values = valuesOf(args)
  const ids = values.map(() => editor.newId())
  const { slide, shape } = grid
  const covered = coveredBy(editor, slide, shape.key)
  restructure(editor, grid, `${counted(values.length, 'new row')} after ${after}`, () => {
    for (const [number, row] of values.entries()) insertRow(grid, after + number, row, ids[number]!)
    warnBelow(editor, grid)
    warnOfCovered(editor, slide, shape.key, covered)
  })
  return {
    op: 'insert_table_rows',
    message: `Inserted ${counted(values.length, 'row')} into ${shape.name} on slide ${slide.index}.`,
  }
}

/** Rows are at least as high as the file says; PowerPoint draws what is below the slide, and nobody sees it. */
function warnBelow(editor: DeckEditor, { slide, shape, node, tree }: SlideTable): void {
  const top = boxOf(editor.deck, shape)?.top
  if (top === undefined || shape.group) return
  const high = rowsOf(node).reduce((sum, row) => sum + (numberAt(tree, row, 'h') ?? 0), 0)
  const below = toPoints(top + high - editor.deck.size.height)
  if (below > 0)
    editor.warn(
      `${shape.name} ends ${below} points below slide ${slide.index}; delete rows, or move it with move_shape.`,
    )
}

type Inserting = DeckArgs<'insert_table_rows'>

function positionOf(grid: SlideTable, { after_row, before_row }: Inserting): number {
  if (before_row !== undefined) return lineOf(grid, 'row', before_row) - 1
  if (after_row !== undefined) return lineOf(grid, 'row', after_row)
  return rowsOf(grid.node).length
}

/** Rows of values, or as many empty ones as asked for. */
function valuesOf({ values = [], count }: Inserting): readonly (readonly TableValue[])[] {
  if (values.length > 0) return values.map(row => [row].flat())
  if (count < 1 || count > 500)
    throw wrongArgument('insert_table_rows: count is a number from 1 to 500')
  return Array.from({ length: count }, () => [])
}

/** The row in front is the model, but no header where there is another. */
function insertRow(
  { tree, node, ...grid }: SlideTable,
  at: number,
  values: readonly TableValue[],
  id: string,
) {
  const rows = rowsOf(node)
  const hasHeader = flagAt(tree, node.child('a:tblPr'), 'firstRow') === true
  const isBelowHeader = at === 0 || (at === 1 && hasHeader)
  const model = (isBelowHeader ? rows[at] : undefined) ?? rows[at - 1] ?? rows[0]!
  const next = rows[at]
  const copy = tree.clone(model)
  renumber(tree, copy, 'a16:rowId', id)
  const cells = cellsIn(copy)
  for (const [column, cell] of cells.entries()) {
    const made = emptyLike(tree, cell, valueText(values[column]))
    for (const name of ['gridSpan', 'hMerge']) {
      const value = tree.attribute(cell, name)
      if (value !== undefined) tree.setAttribute(made, name, value)
    }
    const below = next && cellsIn(next)[column]
    if (below && flagAt(tree, below, 'vMerge')) {
      tree.setAttribute(made, 'vMerge', '1')
      const origin = originAbove(rows, at, column, cell0 => flagAt(tree, cell0, 'vMerge') === true)
      if (origin) setSpan(tree, origin, 'rowSpan', spanOf(tree, origin, 'rowSpan') + 1)
    }
    tree.after(cell, [made])
    tree.remove(cell)
  }
  if (next) tree.before(next, [copy])
  else tree.after(rows.at(-1)!, [copy])
  growFrame({ tree, node, ...grid }, numberAt(tree, copy, 'h') ?? 0)
}

/** The cell above whose merge covers the row. */
function originAbove(
  rows: readonly LiveNode[],
  at: number,
  column: number,
  isCovered: (cell: LiveNode) => boolean,
): LiveNode | undefined {
  for (let row = at - 1; row >= 0; row--) {
    const cell = cellsIn(rows[row]!)[column]
    if (cell && !isCovered(cell)) return cell
  }
  return undefined
}

export function deleteTableRows(editor: DeckEditor, args: DeckArgs<'delete_table_rows'>) {
  const grid = gridOf(editor, args)
  const rows = editor.resolve('rows', () => linesIn(grid, 'row', args.rows))
  if (rows.length >= rowsOf(grid.node).length)
    throw wrongArgument('these are all rows of the table; delete_shape deletes the table')
  restructure(editor, grid, `row ${rows.join(', ')} deleted`, () => {
    for (const row of [...rows].reverse()) deleteRow(grid, row - 1)
  })
  return {
    op: 'delete_table_rows',
    message: `Deleted ${counted(rows.length, 'row')} of ${grid.shape.name} on slide ${grid.slide.index}.`,
  }
}

/** What a cell covers in other rows stays covered, by the next row where its own goes. */
function deleteRow({ tree, node, ...grid }: SlideTable, at: number): void {
  const rows = rowsOf(node)
  const row = rows[at]!
  for (const [column, cell] of cellsIn(row).entries()) {
    const span = spanOf(tree, cell, 'rowSpan')
    if (flagAt(tree, cell, 'vMerge')) {
      const origin = originAbove(rows, at, column, own => flagAt(tree, own, 'vMerge') === true)
      if (origin) setSpan(tree, origin, 'rowSpan', spanOf(tree, origin, 'rowSpan') - 1)
    } else if (span > 1) {
      const below = rows[at + 1] && cellsIn(rows[at + 1]!)[column]
      if (!below) continue
      const moved = tree.clone(cell)
      setSpan(tree, moved, 'rowSpan', span - 1)
      tree.after(below, [moved])
      tree.remove(below)
    }
  }
  growFrame({ tree, node, ...grid }, -(numberAt(tree, row, 'h') ?? 0))
  tree.remove(row)
}
