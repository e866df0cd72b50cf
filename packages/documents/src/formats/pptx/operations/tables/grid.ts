import type { LineName, TableValue } from '../../../../fields/shared-fields.ts'
import { type LiveNode, type LiveTree, numberAt } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { type DeckEditor, readsOf, wrongArgument } from '../../edit/editor.ts'
import { findShape, slideOf } from '../../edit/fields.ts'
import { setLines } from '../../edit/lines.ts'
import type { Slide } from '../../slide/deck.ts'
import { type Shape, transformOf } from '../../slide/page.ts'
import { cellsIn, columnsOf, rowsOf, tableOf } from '../../slide/table.ts'
import { bodyText } from '../../slide/text.ts'

/** A table that an operation works on. */
export interface SlideTable {
  readonly slide: Slide
  readonly shape: Shape
  readonly ref: string
  readonly tree: LiveTree
  readonly node: LiveNode
}

export interface OnTable {
  readonly index: number
  readonly table?: LineName | undefined
}

/** The table that an operation names, or the only one of the slide. */
export function gridOf(editor: DeckEditor, { index, table }: OnTable): SlideTable {
  const slide = slideOf(editor, { index })
  const ref = editor.resolve('table', () => `@${slide.key}/${chosen(slide, table).key}`)
  const shape = editor.shape(ref)
  const node = tableOf(shape)
  if (!node) throw wrongArgument(`${shape.key} (${shape.name}) is a ${shape.kind}, and no table`)
  if (rowsOf(node).length === 0 || columnsOf(node).length === 0)
    throw new Refusal(
      'CONFLICT',
      `${shape.key} (${shape.name}) is a table without rows or columns; delete_shape deletes it, add_table makes another`,
    )
  return { slide, shape, ref, tree: shape.page.tree, node }
}

function chosen(slide: Slide, table: LineName | undefined): Shape {
  if (table !== undefined) return findShape(slide, table)
  const tables = slide.page.shapes.filter(({ kind }) => kind === 'table')
  if (tables[0] && tables.length === 1) return tables[0]
  if (tables.length === 0)
    throw new Refusal('NO_SUCH_REGION', `slide ${slide.index} has no table; add_table makes one`)
  throw wrongArgument(
    `slide ${slide.index} has ${tables.length} tables; name one with table: ${tables.map(({ key, name }) => `${key} (${name})`).join(', ')}`,
  )
}

/** A row or column by its number from 1, or by its text in the first column or row. */
export function lineOf(
  { node, tree }: SlideTable,
  axis: 'row' | 'column',
  wanted: LineName,
): number {
  const count = axis === 'row' ? rowsOf(node).length : columnsOf(node).length
  const number = typeof wanted === 'string' && /^\d+$/.test(wanted) ? Number(wanted) : wanted
  if (typeof number === 'number') {
    if (Number.isInteger(number) && number >= 1 && number <= count) return number
    throw new Refusal(
      'NO_SUCH_REGION',
      `there is no ${axis} ${number}; the table has ${axis}s 1 to ${count}`,
    )
  }
  const heads =
    axis === 'row' ? rowsOf(node).map(row => cellsIn(row)[0]) : cellsIn(rowsOf(node)[0]!)
  const fold = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()
  const texts = heads.map(cell => fold(cellText(tree, cell)))
  const found = texts.flatMap((text, index) => (text === fold(String(wanted)) ? [index + 1] : []))
  if (found.length === 1) return found[0]!
  throw new Refusal(
    found.length > 1 ? 'CONFLICT' : 'NO_SUCH_REGION',
    found.length > 1
      ? `${JSON.stringify(wanted)} stands for ${axis}s ${found.join(', ')}; name one by its number`
      : `there is no ${axis} ${JSON.stringify(wanted)}; the ${axis}s are ${texts.map(text => JSON.stringify(text)).join(', ')}`,
  )
}

export function linesIn(
  grid: SlideTable,
  axis: 'row' | 'column',
  wanted: LineName | readonly LineName[],
): readonly number[] {
  const numbers = [wanted].flat().map(each => lineOf(grid, axis, each))
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function cellText(tree: LiveTree, cell: LiveNode | undefined): string {
  const body = cell?.child('a:txBody')
  return body ? bodyText(tree, body) : ''
}

export function valueText(value: TableValue | undefined): string {
  return String(value ?? '')
}

/** A copy of a cell without its text and merges. */
export function emptyLike(tree: LiveTree, cell: LiveNode, text: string): LiveNode {
  const copy = tree.clone(cell)
  for (const name of ['rowSpan', 'gridSpan', 'hMerge', 'vMerge'])
    tree.setAttribute(copy, name, undefined)
  const body = copy.child('a:txBody')
  if (body) setLines(tree, body, [{ text, level: 0 }])
  return copy
}

/** Ids that PowerPoint gives rows and columns must differ. */
export function renumber(tree: LiveTree, node: LiveNode, name: string, id: string): void {
  for (const own of node.all(name)) tree.setAttribute(own, 'val', id)
}

/** Sets or drops a span, where 1 needs none. */
export function setSpan(tree: LiveTree, cell: LiveNode, name: string, span: number): void {
  tree.setAttribute(cell, name, span > 1 ? String(span) : undefined)
}

export function spanOf(tree: LiveTree, cell: LiveNode, name: string): number {
  return numberAt(tree, cell, name) ?? 1
}

/** A change of rows or columns: refused whole or not at all. */
export function restructure(
  editor: DeckEditor,
  grid: SlideTable,
  what: string,
  make: () => void,
): boolean {
  const { ref, tree, node } = grid
  const shown = () => ({
    text: rowsOf(node)
      .map(row =>
        cellsIn(row)
          .map(cell => cellText(tree, cell))
          .join(' | '),
      )
      .join('\n'),
  })
  return editor.change(
    {
      kind: 'table',
      place: `${editor.deck.placeOf(ref)} ${what}`,
      keys: [`${ref} grid`],
      reads: [ref, ...readsOf(ref)],
      before: shown(),
      after: shown,
      atomic: true,
    },
    () => {
      make()
      return true
    },
  )
}

/** The frame around the table grows and shrinks with its rows. */
export function growFrame({ shape, tree }: SlideTable, height: number): void {
  const extent = transformOf(shape.node)?.child('a:ext')
  const now = numberAt(tree, extent, 'cy')
  if (extent && now !== undefined)
    tree.setAttribute(extent, 'cy', String(Math.max(0, Math.round(now + height))))
}
