import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { removeProperty, setProperty } from '../../edit/properties.ts'
import { placeOf } from '../../story/places.ts'
import type { GridCell } from '../../view/table-shape.ts'
import {
  columnAt,
  gridOf,
  linesAt,
  paragraphsIn,
  skippedOf,
  type TableGrid,
  tableFor,
  textIn,
  wholeGridOf,
} from './grid.ts'
import { cellModelOf, cellProperties, makeCell, rowProperties } from './new-cells.ts'
import { findProblemIn, removeWithMarks } from './remove-cells.ts'
import { type CellText, checkedCount, rowsIn } from './values.ts'
import { setWidths, widthsOf } from './widths.ts'

const MOST_COLUMNS = 63 // Word's own limit

/** Inserts columns; the table keeps its width. */
export function insertColumns(editor: DocumentEditor, args: DocumentArgs<'insert_table_columns'>) {
  const { op } = editor
  const table = tableFor(editor, args.table)
  const { after_column, before_column } = args
  const isBefore = before_column !== undefined
  const asked = isBefore ? before_column : after_column
  const position = editor.resolve('column', () => {
    const grid = gridOf(table)
    if (asked === undefined) return grid.columns
    const at = columnAt(grid, asked, isBefore ? 'before_column' : 'after_column')
    return isBefore ? at : at + 1
  })
  const values = rowsIn(args.values ?? [], op, 'column')
  const count =
    values.reduce((most, row) => Math.max(most, row.length), 0) || checkedCount(args.count, op)
  const grid = gridOf(table)
  if (grid.columns + count > MOST_COLUMNS)
    throw invalid(`${table.id} has ${grid.columns} columns; Word allows ${MOST_COLUMNS}`)
  if (values.length > grid.rows.length)
    throw invalid(`${values.length} values do not fit: ${table.id} has ${grid.rows.length} rows`)
  const place = `${placeOf(table.id)} new columns`
  if (editor.accepts(place)) editor.untracked('Inserting a column')
  const plan = planColumns(editor, wholeGridOf(table), { position, count, values })
  const change = {
    kind: 'table',
    place,
    keys: [`${table.id} columns`, ...plan.ids],
    reads: [table.id, ...firstIds(grid)],
    before: null,
    after: () => ({ text: values.map(row => row.join(' | ')).join('\n') }),
    description: `${counted(count, 'column')} in ${table.id}`,
    atomic: true,
  }
  editor.change(change, () => {
    plan.make()
    return true
  })
  return {
    op: 'insert_table_columns',
    message: `Inserted ${counted(count, 'column')} in ${table.id}.`,
    table: table.id,
  }
}

function firstIds(grid: TableGrid): readonly string[] {
  return grid.cells.flatMap(row => {
    const first = row[0] && paragraphsIn(grid, row[0].node)[0]
    return first ? [first.id] : []
  })
}

interface NewColumns {
  readonly position: number
  readonly count: number
  readonly values: readonly (readonly CellText[])[]
}

/** New cells get their ids now, so that they are the same in every replay. */
function planColumns(
  editor: DocumentEditor,
  grid: TableGrid,
  { position, count, values }: NewColumns,
) {
  const { story } = grid.table
  const { tree } = story
  const ids: string[] = []
  const steps: (() => void)[] = []
  const seen = gridOf(grid.table).rows
  for (const [index, row] of grid.rows.entries()) {
    const cells = grid.cells[index]!
    const at = seen.indexOf(row)
    const across = cells.find(({ column, span }) => column < position && position < column + span)
    if (across) {
      refuseHidden(values[at], at)
      steps.push(() => widen(grid, across, count))
      continue
    }
    const left = cells.find(({ column, span }) => column + span === position)
    const right = cells.find(({ column }) => column === position)
    const model = left ?? right
    if (!model) {
      refuseHidden(values[at], at)
      steps.push(() => skipMore(grid, row, position, count))
      continue
    }
    const made = Array.from({ length: count }, (_, index) => {
      const own = cellModelOf(grid, model.node, SPANS)
      const cell = makeCell(tree, own, values[at]?.[index] ?? '')
      editor.adopt(story, cell)
      for (const node of cell.all('w:p')) ids.push(story.idOf(node)!)
      return cell
    })
    steps.push(() =>
      left ? tree.after(outer(left.node), made) : tree.before(outer(model.node), made),
    )
  }
  const old = widthsOf(grid)
  const make = () => {
    for (const step of steps) step()
    setWidths(grid, withNew(old, position, count))
  }
  return { ids, make }
}

const SPANS: ReadonlySet<string> = new Set(['w:gridSpan'])

/** The new columns are as wide as their neighbour; all shrink so that the table keeps its width. */
function withNew(old: readonly number[], position: number, count: number): readonly number[] {
  const total = old.reduce((sum, width) => sum + width, 0)
  const own = old[position - 1] ?? old[position] ?? 0
  const wider = old.toSpliced(position, 0, ...new Array<number>(count).fill(own))
  const factor = total / Math.max(1, total + own * count)
  return wider.map(width => width * factor)
}

function refuseHidden(values: readonly CellText[] | undefined, row: number): void {
  if (values?.some(value => value))
    throw invalid(`row ${row + 1} has a merged cell across the new columns; give null there`)
}

function widen(grid: TableGrid, { node, span }: GridCell, by: number): void {
  const { tree } = grid.table.story
  const properties = cellProperties(tree, node)
  if (span + by > 1) setProperty(tree, properties, `<w:gridSpan w:val="${span + by}"/>`)
  else removeProperty(tree, properties, 'w:gridSpan')
}

/** A row that leaves out columns at its beginning or end leaves out more, or fewer. */
function skipMore(grid: TableGrid, row: LiveNode, position: number, by: number): void {
  const { tree } = grid.table.story
  const side = position <= skippedOf(grid, row, 'w:gridBefore') ? 'w:gridBefore' : 'w:gridAfter'
  const now = skippedOf(grid, row, side) + by
  const properties = rowProperties(tree, row)
  const own = properties.child(side)
  if (own && now > 0) tree.setAttribute(own, 'w:val', String(now))
  else if (own) tree.remove(own)
  else if (now > 0) tree.insert(properties, 0, tree.fragment(`<${side} w:val="${now}"/>`))
}

/** A cell may be in a content control; the new one stands beside that. */
function outer(cell: LiveNode): LiveNode {
  let at = cell
  while (at.parent && at.parent.name !== 'w:tr') at = at.parent
  return at
}

/** Deletes columns; merged cells across them become narrower. */
export function deleteColumns(
  editor: DocumentEditor,
  { table: wanted, columns }: DocumentArgs<'delete_table_columns'>,
) {
  const table = tableFor(editor, wanted)
  const chosen = editor.resolve('columns', () => {
    const grid = gridOf(table)
    return linesAt(columns, one => columnAt(grid, one, 'columns'))
  })
  const grid = gridOf(table)
  if (chosen.length >= grid.columns)
    throw invalid(`these are all columns of ${table.id}; delete all its rows to delete the table`)
  const whole = wholeGridOf(table)
  const place = `${placeOf(table.id)} columns`
  if (editor.accepts(place)) editor.untracked('Deleting a column')
  const change = {
    kind: 'table',
    place,
    keys: [`${table.id} columns`, ...idsIn(whole, chosen)],
    reads: [table.id, ...firstIds(whole)],
    before: { text: shownColumns(grid, chosen) },
    after: () => null,
    description: `${counted(chosen.length, 'column')} of ${table.id}`,
    atomic: true,
  }
  editor.change(change, () => {
    for (const column of chosen.toReversed()) deleteColumn(editor, wholeGridOf(table), column)
    const left = widthsOf(whole).filter((_, at) => !chosen.includes(at))
    setWidths(gridOf(table), left)
    return true
  })
  return {
    op: 'delete_table_columns',
    message: `Deleted ${counted(chosen.length, 'column')} of ${table.id}.`,
    table: table.id,
  }
}

function inColumn({ cells }: TableGrid, column: number): readonly GridCell[] {
  return cells.flat().filter(own => own.column <= column && column < own.column + own.span)
}

function idsIn(grid: TableGrid, columns: readonly number[]): readonly string[] {
  const cells = columns.flatMap(column => inColumn(grid, column))
  return [...new Set(cells.flatMap(({ node }) => paragraphsIn(grid, node).map(({ id }) => id)))]
}

function shownColumns(grid: TableGrid, columns: readonly number[]): string {
  const rows = grid.cells.map(row =>
    row.filter(({ column }) => columns.includes(column)).map(({ node }) => textIn(grid, node)),
  )
  return rows.map(row => row.join(' | ')).join('\n')
}

function deleteColumn(editor: DocumentEditor, grid: TableGrid, column: number): void {
  const { table } = grid
  for (const [at, row] of grid.rows.entries()) {
    const cells = grid.cells[at]!
    const own = cells.find(cell => cell.column <= column && column < cell.column + cell.span)
    if (!own) skipMore(grid, row, column, -1)
    else if (own.span > 1) widen(grid, own, -1)
    else {
      const problem = findProblemIn(editor, table.story, own.node)
      if (problem !== undefined)
        throw new Refusal(
          'CONFLICT',
          `column ${column + 1} of ${table.id} cannot be deleted: ${problem}`,
        )
      const beside = cells.find(cell => cell !== own)
      const host = beside && paragraphsIn(grid, beside.node)[0]?.node
      removeWithMarks(editor.manuscript, table, own.node, host)
      if (cells.length === 1) table.story.tree.remove(row)
    }
  }
}
