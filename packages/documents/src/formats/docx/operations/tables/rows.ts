import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { setProperty } from '../../edit/properties.ts'
import { isBy } from '../../edit/tracking.ts'
import { paragraphById, placeOf } from '../../story/places.ts'
import {
  anchorOf,
  cellAt,
  gridOf,
  linesAt,
  rowAt,
  type TableGrid,
  tableFor,
  textIn,
} from './grid.ts'
import {
  cellModelOf,
  cellProperties,
  makeCell,
  propertiesLike,
  trackDeletedRow,
  trackNewRow,
} from './new-cells.ts'
import { findProblemIn, hostBeside, removeWithMarks } from './remove-cells.ts'
import { type CellText, checkedCount, rowsIn } from './values.ts'

/** Inserts rows next to another; they look like their neighbour. */
export function insertRows(editor: DocumentEditor, args: DocumentArgs<'insert_table_rows'>) {
  const { op } = editor
  const table = tableFor(editor, args.table)
  const { after_row, before_row } = args
  const isBefore = before_row !== undefined
  const asked = isBefore ? before_row : after_row
  const values =
    args.values === undefined
      ? Array.from({ length: checkedCount(args.count, op) }, (): CellText[] => [])
      : rowsIn(args.values, op)
  const anchor = editor.resolve('anchor', () => {
    const grid = gridOf(table)
    if (grid.rows.length === 0) throw invalid(`${table.id} has no rows`)
    const at =
      asked === undefined
        ? grid.rows.length - 1
        : rowAt(grid, asked, isBefore ? 'before_row' : 'after_row')
    const like = modelRow(grid, at, isBefore ? at - 1 : at + 1, values)
    return {
      row: anchorOf(grid, grid.cells[at]![0]?.node),
      like: anchorOf(grid, grid.cells[like]![0]?.node),
    }
  })
  const ids: string[] = []
  let count = 0
  let last = rowOf(editor, anchor.row)
  let side: 'after' | 'before' = isBefore ? 'before' : 'after'
  for (const own of values) {
    const made = newRow(editor, gridOf(table), rowOf(editor, anchor.like), {
      beside: last,
      side,
      values: own,
    })
    if (!putRow(editor, table.id, made, { beside: last, side, anchor })) continue
    ids.push(...made.ids)
    count++
    last = made.row
    side = 'after'
  }
  return {
    op: 'insert_table_rows',
    message: `Inserted ${counted(count, 'row')} in ${table.id}.`,
    table: table.id,
    paragraphs: ids.slice(0, 100),
  }
}

interface NewRow {
  readonly row: LiveNode
  readonly ids: readonly string[]
  readonly text: string
}

interface RowPlace {
  readonly beside: LiveNode
  readonly side: 'after' | 'before'
}

function putRow(
  editor: DocumentEditor,
  tableId: string,
  { row, ids, text }: NewRow,
  { beside, side, anchor }: RowPlace & { readonly anchor: Record<'row' | 'like', string> },
): boolean {
  const { tree } = paragraphById(editor.manuscript, anchor.row).story
  const change = {
    kind: 'table',
    place: `${placeOf(ids[0]!)} row`,
    keys: ids,
    reads: [anchor.row, anchor.like, `${tableId} columns`, tableId],
    before: null,
    after: () => ({ text }),
    description: `row of ${tableId}`,
  }
  return editor.change(change, () => {
    if (side === 'before') tree.before(outer(beside), [row])
    else tree.after(outer(beside), [row])
    if (editor.tracking) trackNewRow(tree, row, editor.tracking)
    return true
  })
}

/** A row may be in a content control; the new one stands beside that. */
function outer(row: LiveNode): LiveNode {
  let at = row
  while (at.parent && at.parent.name !== 'w:tbl') at = at.parent
  return at
}

/** The row of the paragraph that stands for it. */
function rowOf(editor: DocumentEditor, id: string): LiveNode {
  return paragraphById(editor.manuscript, id).cell!.closest('w:tr')!
}

/**
 * The neighbour to copy: no header row, and the one with more cells of the two; where none has a cell for each value, the
 * nearest row that has.
 */
function modelRow(
  grid: TableGrid,
  at: number,
  other: number,
  values: readonly (readonly CellText[])[],
): number {
  const neighbours = [at, other].filter(row => row >= 0 && row < grid.rows.length)
  const rank = (row: number) => (isHeader(grid, row) ? 0 : 1_000) + grid.cells[row]!.length
  const holding = grid.rows
    .map((_, row) => row)
    .filter(row => !hidesValues(grid.cells[row]!, values))
  const near = neighbours.filter(row => holding.includes(row))
  const [nearest] = holding.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))
  const candidates = near.length > 0 ? near : nearest === undefined ? neighbours : [nearest]
  return candidates.reduce((best, row) => (rank(row) > rank(best) ? row : best))
}

function hidesValues(
  cells: TableGrid['cells'][number],
  values: readonly (readonly CellText[])[],
): boolean {
  return cells.some(({ column, span }) =>
    values.some(own => own.slice(column + 1, column + span).some(Boolean)),
  )
}

/** A first row counts as a header where others follow. */
function isHeader({ rows }: TableGrid, row: number): boolean {
  return row === 0 || rows[row]!.child('w:trPr')?.child('w:tblHeader') !== undefined
}

function newRow(
  editor: DocumentEditor,
  grid: TableGrid,
  like: LiveNode,
  place: RowPlace & { readonly values: readonly CellText[] },
): NewRow {
  const { story } = grid.table
  const { tree } = story
  const { values } = place
  if (values.length > grid.columns)
    throw invalid(
      `a row of ${values.length} values does not fit: ${grid.table.id} has ${grid.columns} columns`,
    )
  const [row] = tree.fragment('<w:tr/>')
  const exceptions = like.child('w:tblPrEx')
  if (exceptions) tree.append(row!, [tree.clone(exceptions)])
  const properties = propertiesLike(tree, like.child('w:trPr'))
  if (properties && properties.children.length > 0) tree.append(row!, [properties])
  const models = grid.cells[grid.rows.indexOf(like)] ?? []
  const below = rowBelow(grid, place)
  for (const model of models) {
    const isInside = below?.some(cell => cell.column === model.column && cell.isContinued) ?? false
    const text = values[model.column] ?? ''
    refuseHidden(grid, values, model, isInside)
    const cell = makeCell(tree, cellModelOf(grid, model.node), isInside ? '' : text)
    if (isInside) setProperty(tree, cellProperties(tree, cell), '<w:vMerge/>')
    tree.append(row!, [cell])
  }
  editor.adopt(story, row!)
  const ids = [...row!.all('w:p')].map(node => story.idOf(node)!)
  return { row: row!, ids, text: values.map(value => value ?? '').join(' | ') }
}

/** The row that follows the new one: where its cells continue a merged one, so does the new row. */
function rowBelow(grid: TableGrid, { beside, side }: RowPlace) {
  const at = grid.rows.indexOf(beside)
  return at < 0 ? undefined : grid.cells[side === 'before' ? at : at + 1]
}

/** Values for columns that a merged cell hides would be lost. */
function refuseHidden(
  grid: TableGrid,
  values: readonly CellText[],
  { column, span }: { readonly column: number; readonly span: number },
  isInside: boolean,
): void {
  for (let at = isInside ? column : column + 1; at < column + span; at++)
    if (values[at])
      throw invalid(
        `column ${at + 1} is part of a merged cell in a new row of ${grid.table.id}; give null there`,
      )
}

/** Deletes rows; with the last row the table goes. */
export function deleteRows(
  editor: DocumentEditor,
  { table: wanted, rows }: DocumentArgs<'delete_table_rows'>,
) {
  const table = tableFor(editor, wanted)
  const anchors = editor.resolve('rows', () => {
    const grid = gridOf(table)
    return linesAt(rows, one => rowAt(grid, one, 'rows')).map(at =>
      anchorOf(grid, grid.cells[at]![0]?.node),
    )
  })
  const deleted = anchors.filter(id => deleteRow(editor, table.id, id))
  return {
    op: 'delete_table_rows',
    message: `Deleted ${counted(deleted.length, 'row')} of ${table.id}.`,
    table: table.id,
  }
}

/** `id`: the first paragraph of the row. False where a replay leaves it. */
export function deleteRow(editor: DocumentEditor, tableId: string, id: string): boolean {
  const place = `${placeOf(id)} row`
  if (!editor.accepts(place)) return false
  const paragraph = paragraphById(editor.manuscript, id)
  const { story } = paragraph
  const row = paragraph.cell!.closest('w:tr')!
  const grid = gridOf(story.tables.find(({ node }) => node === row.closest('w:tbl'))!)
  const at = grid.rows.indexOf(row)
  const problem = findProblemIn(editor, story, row)
  if (problem !== undefined)
    throw new Refusal('CONFLICT', `row ${at + 1} of ${tableId} cannot be deleted: ${problem}`)
  const text = (grid.cells[at] ?? []).map(({ node }) => textIn(grid, node)).join(' | ')
  const change = {
    kind: 'table',
    place,
    keys: [...row.all('w:p')].flatMap(node => story.idOf(node) ?? []),
    reads: [`${tableId} columns`, tableId],
    before: { text },
    after: () => null,
    description: `row of ${tableId}`,
  }
  return editor.change(change, () => removeRow(editor, grid, at))
}

function removeRow(editor: DocumentEditor, grid: TableGrid, at: number): boolean {
  const { tracking } = editor
  const { table, rows } = grid
  const { tree } = table.story
  const row = rows[at]!
  const isOwn = tracking && isBy(tree, row.child('w:trPr')?.child('w:ins'), tracking)
  const isTracked = tracking !== undefined && !isOwn
  const heirs = (grid.cells[at + 1] ?? []).filter(
    cell => cell.isContinued && cellAt(grid, cell.row, cell.column)?.row === at,
  )
  if (isTracked && heirs.length > 0)
    throw new Refusal(
      'CONFLICT',
      `row ${at + 1} of ${table.id} begins a merged cell, which Word cannot delete as a tracked change; send track: false`,
    )
  if (isTracked) {
    trackDeletedRow(tree, row, tracking)
    return true
  }
  for (const { node } of heirs)
    setProperty(tree, cellProperties(tree, node), '<w:vMerge w:val="restart"/>')
  removeWithMarks(editor.manuscript, table, row, hostBeside(grid, at))
  if (!table.node.all('w:tr').next().value) tree.remove(table.node)
  return true
}
