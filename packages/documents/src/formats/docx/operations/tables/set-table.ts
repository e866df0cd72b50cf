import { counted } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import { alignText } from '../../../../runs/align-text.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { changeText } from '../../edit/change-text.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { computedBy } from '../../edit/text-matches.ts'
import { TOKEN } from '../../story/pieces.ts'
import type { Paragraph } from '../../story/story.ts'
import { spansIn, textMapOf } from '../../story/text-map.ts'
import { deleteOne } from '../text/delete-paragraph.ts'
import { cellAt, columnAt, gridOf, paragraphsIn, rowAt, type TableGrid, tableFor } from './grid.ts'
import { type CellText, rowsIn, textOf } from './values.ts'

type GivenCells = DocumentArgs<'set_table'>

interface FoundCell {
  readonly paragraphs: readonly string[]
  readonly text: string
}

/** Writes values into cells; the looks of cells and of text that stays are kept. */
export function setTable(editor: DocumentEditor, args: DocumentArgs<'set_table'>) {
  const table = tableFor(editor, args.table)
  const cells = editor.resolve('cells', () => findCells(gridOf(table), args))
  const set = cells.filter(cell => setCell(editor, cell))
  return {
    op: 'set_table',
    message:
      set.length > 0
        ? `Set ${counted(set.length, 'cell')} of ${table.id}.`
        : `The cells of ${table.id} are already so; nothing was changed.`,
    table: table.id,
    paragraphs: set.flatMap(({ paragraphs }) => paragraphs).slice(0, 100),
  }
}

function findCells(grid: TableGrid, args: GivenCells): readonly FoundCell[] {
  const found: FoundCell[] = []
  const taken = new Set<string>()
  for (const { row, column, text } of wantedOf(grid, args)) {
    if (text === null) continue
    const cell = cellAt(grid, row, column)
    const where = `row ${row + 1}, column ${column + 1} of ${grid.table.id}`
    if (!cell) throw new Refusal('NO_SUCH_REGION', `there is no cell at ${where}`)
    if (cell.row !== row || cell.column !== column) {
      if (text === '') continue
      throw invalid(
        `${where} is part of the merged cell at row ${cell.row + 1}, column ${cell.column + 1}; give the value there, and null here`,
      )
    }
    refuseUnwritable(text)
    const paragraphs = paragraphsIn(grid, cell.node).map(({ id }) => id)
    if (taken.has(paragraphs[0]!)) throw invalid(`${where} is set twice`)
    taken.add(paragraphs[0]!)
    found.push({ paragraphs, text })
  }
  return found
}

function wantedOf(
  grid: TableGrid,
  { values = [], cells = [], row = 1, column = 1 }: GivenCells,
): readonly { readonly row: number; readonly column: number; readonly text: CellText }[] {
  if (cells.length > 0)
    return cells.map(cell => ({
      row: rowAt(grid, cell.row, 'row'),
      column: columnAt(grid, cell.column, 'column'),
      text: textOf(cell.value),
    }))
  if (values.length === 0)
    throw invalid('set_table needs values: rows such as [["Name", "Amount"], ["Ann", 12]]')
  const rows = rowsIn(values, 'set_table')
  const top = rowAt(grid, row, 'row')
  const left = columnAt(grid, column, 'column')
  const { table } = grid
  const width = rows.reduce((most, own) => Math.max(most, own.length), 0)
  if (top + rows.length > grid.rows.length)
    throw invalid(
      `${rows.length} rows from row ${top + 1} on do not fit: ${table.id} has ${grid.rows.length}; use insert_table_rows first`,
    )
  if (left + width > grid.columns)
    throw invalid(
      `${width} columns from column ${left + 1} on do not fit: ${table.id} has ${grid.columns}; use insert_table_columns first`,
    )
  return rows.flatMap((own, down) =>
    own.map((text, right) => ({ row: top + down, column: left + right, text })),
  )
}

/** Lines go to the paragraphs of the cell; the last one takes the lines that are left, others are deleted. */
function setCell(editor: DocumentEditor, { paragraphs, text }: FoundCell): boolean {
  const lines = text.split('\n')
  let isSet = false
  for (const [at, id] of paragraphs.entries()) {
    const paragraph = editor.paragraphToEdit(id)
    if (!paragraph) continue
    const isLast = at === paragraphs.length - 1
    const done =
      at < lines.length
        ? setText(editor, paragraph, isLast ? lines.slice(at).join('\n') : lines[at]!)
        : deleteOne(editor, paragraph)
    isSet ||= done
  }
  return isSet
}

function setText(editor: DocumentEditor, paragraph: Paragraph, text: string): boolean {
  const map = textMapOf(paragraph.story.pieces(paragraph))
  const edits = alignText(map.text, text)
  for (const { start, end } of edits) {
    if (map.text.slice(start, end).includes(TOKEN))
      throw new Refusal(
        'CONFLICT',
        `${paragraph.id} holds a note, a picture or a field that the new value would delete; use replace_text for the words around it`,
      )
    for (const { piece } of spansIn(map, start, Math.max(end, start + 1)))
      if (piece.border?.kind === 'field' && end > start)
        throw new Refusal('CONFLICT', `${paragraph.id} cannot be set: ${computedBy(piece.border)}`)
  }
  return changeText(editor, paragraph, edits)
}
