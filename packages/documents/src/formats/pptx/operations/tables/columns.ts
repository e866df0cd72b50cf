import { counted } from '@filewright/protocol'
import type { TableValue } from '../../../../fields/shared-fields.ts'
import { type LiveNode, type LiveTree, numberAt } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { flagAt } from '../../parts/values.ts'
import { cellsIn, columnsOf, rowsOf } from '../../slide/table.ts'
import {
  emptyLike,
  gridOf,
  lineOf,
  linesIn,
  renumber,
  restructure,
  type SlideTable,
  setSpan,
  spanOf,
  valueText,
} from './grid.ts'

/** Inserts columns that look like their neighbour; all shrink so that the table keeps its width. */
export function insertTableColumns(editor: DeckEditor, args: DeckArgs<'insert_table_columns'>) {
  const grid = gridOf(editor, args)
  const after = editor.resolve('after', () => positionOf(grid, args))
  const columns = columnsFrom(args, rowsOf(grid.node).length)
  const ids = columns.map(() => editor.newId())
  restructure(editor, grid, `${counted(columns.length, 'new column')} after ${after}`, () => {
    const width = widthOf(grid)
    for (const [number, values] of columns.entries())
      insertColumn(grid, after + number, values, ids[number]!)
    scaleTo(grid, width)
  })
  return {
    op: 'insert_table_columns',
    message: `Inserted ${counted(columns.length, 'column')} into ${grid.shape.name} on slide ${grid.slide.index}.`,
  }
}

type Inserting = DeckArgs<'insert_table_columns'>

function positionOf(grid: SlideTable, { after_column, before_column }: Inserting): number {
  if (before_column !== undefined) return lineOf(grid, 'column', before_column) - 1
  if (after_column !== undefined) return lineOf(grid, 'column', after_column)
  return columnsOf(grid.node).length
}

/** Values go from the top row down: a list or one value for each row, or a list as long as the table for each new column. */
function columnsFrom(
  { values = [], count }: Inserting,
  rows: number,
): readonly (readonly (TableValue | undefined)[])[] {
  if (values.length > 0) {
    const lines = values.map(row => [row].flat())
    const isByColumn = values.every(own => Array.isArray(own) && own.length === rows)
    if (isByColumn && values.length !== rows) return lines
    if (values.length > rows)
      throw wrongArgument(
        `insert_table_columns: values has ${values.length} rows, and the table has ${rows}`,
      )
    const wide = Math.max(...lines.map(({ length }) => length))
    return Array.from({ length: wide }, (_, column) => lines.map(row => row[column]))
  }
  if (count < 1 || count > 50)
    throw wrongArgument('insert_table_columns: count is a number from 1 to 50')
  return Array.from({ length: count }, () => [])
}

function insertColumn(
  { tree, node }: SlideTable,
  at: number,
  values: readonly (TableValue | undefined)[],
  id: string,
) {
  const columns = columnsOf(node)
  const model = tree.clone(columns[at - 1] ?? columns[0]!)
  renumber(tree, model, 'a16:colId', id)
  if (columns[at]) tree.before(columns[at], [model])
  else tree.after(columns.at(-1)!, [model])
  for (const [number, row] of rowsOf(node).entries()) {
    const cells = cellsIn(row)
    if (cells.length === 0) continue
    const next = cells[at]
    const made = emptyLike(tree, cells[at - 1] ?? cells[0]!, valueText(values[number]))
    if (next && flagAt(tree, next, 'hMerge')) {
      tree.setAttribute(made, 'hMerge', '1')
      const origin = originBefore(tree, cells, at)
      if (origin) setSpan(tree, origin, 'gridSpan', spanOf(tree, origin, 'gridSpan') + 1)
    }
    if (next) tree.before(next, [made])
    else tree.after(cells.at(-1)!, [made])
  }
}

function originBefore(
  tree: LiveTree,
  cells: readonly LiveNode[],
  at: number,
): LiveNode | undefined {
  for (let column = at - 1; column >= 0; column--)
    if (!flagAt(tree, cells[column], 'hMerge')) return cells[column]
  return undefined
}

export function deleteTableColumns(editor: DeckEditor, args: DeckArgs<'delete_table_columns'>) {
  const grid = gridOf(editor, args)
  const columns = editor.resolve('columns', () => linesIn(grid, 'column', args.columns))
  if (columns.length >= columnsOf(grid.node).length)
    throw wrongArgument('these are all columns of the table; delete_shape deletes the table')
  restructure(editor, grid, `column ${columns.join(', ')} deleted`, () => {
    const width = widthOf(grid)
    for (const column of [...columns].reverse()) deleteColumn(grid, column - 1)
    scaleTo(grid, width)
  })
  return {
    op: 'delete_table_columns',
    message: `Deleted ${counted(columns.length, 'column')} of ${grid.shape.name} on slide ${grid.slide.index}.`,
  }
}

function deleteColumn({ tree, node }: SlideTable, at: number): void {
  for (const row of rowsOf(node)) {
    const cells = cellsIn(row)
    const cell = cells[at]
    if (!cell) continue
    const span = spanOf(tree, cell, 'gridSpan')
    if (flagAt(tree, cell, 'hMerge')) {
      const origin = originBefore(tree, cells, at)
      if (origin) setSpan(tree, origin, 'gridSpan', spanOf(tree, origin, 'gridSpan') - 1)
    } else if (span > 1 && cells[at + 1]) {
      const moved = tree.clone(cell)
      setSpan(tree, moved, 'gridSpan', span - 1)
      tree.after(cells[at + 1]!, [moved])
      tree.remove(cells[at + 1]!)
    }
    tree.remove(cell)
  }
  const column = columnsOf(node)[at]
  if (column) tree.remove(column)
}

function widthOf({ tree, node }: SlideTable): number {
  return columnsOf(node).reduce((sum, own) => sum + (numberAt(tree, own, 'w') ?? 0), 0)
}

/** Columns share a width in the proportions that they have. */
function scaleTo({ tree, node }: SlideTable, width: number): void {
  const now = widthOf({ tree, node } as SlideTable)
  if (now <= 0) return
  for (const own of columnsOf(node)) {
    const share = ((numberAt(tree, own, 'w') ?? 0) * width) / now
    tree.setAttribute(own, 'w', String(Math.round(share)))
  }
}
