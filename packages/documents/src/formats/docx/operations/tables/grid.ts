import type { LineName } from '../../../../fields/shared-fields.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { numberOf, valOf } from '../../parts/values.ts'
import { tableById } from '../../story/places.ts'
import type { Paragraph, TableSpot } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'
import { cellsOf, type GridCell, rowsOf } from '../../view/table-shape.ts'

/** A table as it is seen: rows that are deleted as tracked changes are not there. Rows and columns count from 0. */
export interface TableGrid {
  readonly table: TableSpot
  readonly rows: readonly LiveNode[]
  readonly cells: readonly (readonly GridCell[])[]
  readonly columns: number
}

const MOST_COLUMNS = 63 // Word's own limit

export function gridOf(table: TableSpot): TableGrid {
  return gridOfRows(table, row => !row.child('w:trPr')?.child('w:del'))
}

/** With the rows that are deleted as tracked changes: they come back when that is rejected. */
export function wholeGridOf(table: TableSpot): TableGrid {
  return gridOfRows(table, () => true)
}

function gridOfRows(table: TableSpot, isSeen: (row: LiveNode) => boolean): TableGrid {
  const { tree } = table.story
  const all = cellsOf(tree, table.node)
  const rows: LiveNode[] = []
  const cells: GridCell[][] = []
  const byRow: GridCell[][] = []
  for (const cell of all) (byRow[cell.row] ??= []).push(cell)
  for (const [number, row] of rowsOf(table.node).entries()) {
    if (!isSeen(row)) continue
    cells.push((byRow[number] ?? []).map(cell => ({ ...cell, row: rows.length })))
    rows.push(row)
  }
  const grid = table.node.child('w:tblGrid')?.children.filter(({ name }) => name === 'w:gridCol')
  const widest = cells.flat().reduce((most, { column, span }) => Math.max(most, column + span), 0)
  const columns = widest > 0 ? widest : (grid?.length ?? 0)
  if (columns > 10 * MOST_COLUMNS)
    throw new Refusal('CONFLICT', `${table.id} claims ${columns} columns, more than Word allows`)
  return { table, rows, cells, columns }
}

/** The table that an operation names; the only one of the body where it names none. */
export function tableFor(editor: DocumentEditor, table: LineName | undefined): TableSpot {
  const { manuscript } = editor
  const id = editor.resolve('table', () => {
    const all = manuscript.stories.flatMap(story => story.tables)
    const asked = typeof table === 'number' ? `t${table}` : table
    if (asked !== undefined) {
      const found = tableById(manuscript, asked.trim())
      if (found) return found.id
      throw new Refusal(
        'NO_SUCH_REGION',
        `there is no table ${JSON.stringify(table)}: ${
          all.length === 0
            ? 'the document has none'
            : `the tables are ${all
                .slice(0, 20)
                .map(own => own.id)
                .join(', ')}`
        }`,
      )
    }
    if (all.length === 1) return all[0]!.id
    throw invalid(`${editor.op} needs table, such as "t1" as get_file_info shows it`)
  })
  return tableOf(editor, id)
}

/** By id: for a table that was found before. */
export function tableOf({ manuscript }: DocumentEditor, id: string): TableSpot {
  const found = tableById(manuscript, id)
  if (found) return found
  throw new Refusal('NO_SUCH_REGION', `there is no table ${JSON.stringify(id)} any more`)
}

/** The cell seen at a place: of a merged one, its top left. */
export function cellAt({ cells }: TableGrid, row: number, column: number): GridCell | undefined {
  for (let at = row; at >= 0; at--) {
    const found = cells[at]?.find(own => own.column <= column && column < own.column + own.span)
    if (!found?.isContinued) return found
  }
  return undefined
}

/** The paragraphs of a cell itself, not those of tables and text boxes in it. */
export function paragraphsIn({ table: { story } }: TableGrid, cell: LiveNode): Paragraph[] {
  const own: Paragraph[] = []
  for (const node of cell.all('w:p')) {
    if (node.closest('w:tc') !== cell || node.closest('w:txbxContent')?.closest('w:tc') === cell)
      continue
    const paragraph = story.paragraph(story.idOf(node) ?? '')
    if (paragraph) own.push(paragraph)
  }
  return own
}

/** A cell, and its row, by a paragraph that stays in it. */
export function anchorOf(grid: TableGrid, cell: LiveNode | undefined): string {
  const first = cell && paragraphsIn(grid, cell)[0]
  if (first) return first.id
  throw new Refusal(
    'CONFLICT',
    `${grid.table.id} has a cell without a paragraph, which Word repairs; nothing can be placed by it`,
  )
}

export function textIn(grid: TableGrid, cell: LiveNode): string {
  const { story } = grid.table
  return paragraphsIn(grid, cell)
    .map(paragraph => textMapOf(story.pieces(paragraph)).text)
    .join('\n')
}

/** A row by its number, or by the whole text of one of its cells; from 0. */
export function rowAt(grid: TableGrid, asked: LineName, name: string): number {
  const { rows, cells, table } = grid
  const number = wholeNumber(asked)
  if (number !== undefined) {
    if (number >= 1 && number <= rows.length) return number - 1
    throw new Refusal(
      'NO_SUCH_REGION',
      `${table.id} has no row ${number}: its rows go from 1 to ${rows.length}`,
    )
  }
  if (typeof asked !== 'string' || asked.trim() === '')
    throw invalid(`${name} is the number of a row, from 1, or the text of a cell in it`)
  const wanted = folded(asked)
  const found = cells.flatMap((row, at) =>
    row.some(cell => !cell.isContinued && folded(textIn(grid, cell.node)) === wanted) ? [at] : [],
  )
  if (found.length === 1) return found[0]!
  throw new Refusal(
    found.length > 1 ? 'INVALID_ARGUMENT' : 'NO_SUCH_REGION',
    found.length > 1
      ? `${JSON.stringify(asked)} stands in rows ${found.map(at => at + 1).join(', ')} of ${table.id}; name one by its number`
      : `no cell of ${table.id} says ${JSON.stringify(asked)}; name the row by its number, 1 to ${rows.length}`,
  )
}

/** A column by its number, or by its text in the first row; from 0. */
export function columnAt(grid: TableGrid, asked: LineName, name: string): number {
  const { cells, columns, table } = grid
  const number = wholeNumber(asked)
  if (number !== undefined) {
    if (number >= 1 && number <= columns) return number - 1
    throw new Refusal(
      'NO_SUCH_REGION',
      `${table.id} has no column ${number}: its columns go from 1 to ${columns}`,
    )
  }
  if (typeof asked !== 'string' || asked.trim() === '')
    throw invalid(`${name} is the number of a column, from 1, or its text in the first row`)
  const heads = (cells[0] ?? []).map(cell => ({ cell, text: textIn(grid, cell.node) }))
  const found = heads.filter(({ text }) => folded(text) === folded(asked))
  if (found.length === 1) return found[0]!.cell.column
  throw new Refusal(
    found.length > 1 ? 'INVALID_ARGUMENT' : 'NO_SUCH_REGION',
    found.length > 1
      ? `${JSON.stringify(asked)} heads ${found.length} columns of ${table.id}; name one by its number`
      : `${table.id} has no column ${JSON.stringify(asked)}: its first row is ${heads
          .map(({ text }) => JSON.stringify(text))
          .join(', ')
          .slice(0, 300)}`,
  )
}

/** One or several rows or columns, each once, in order. */
export function linesAt(
  asked: LineName | readonly LineName[],
  find: (one: LineName) => number,
): readonly number[] {
  const found = [asked].flat().flatMap(one => {
    const range = typeof one === 'string' ? /^\s*(\d+)\s*(?:-|–|\.\.)\s*(\d+)\s*$/.exec(one) : null
    if (!range) return [find(one)]
    const from = find(Number(range[1]))
    const to = find(Number(range[2]))
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  })
  return [...new Set(found)].sort((a, b) => a - b)
}

function wholeNumber(asked: LineName): number | undefined {
  if (typeof asked === 'number') return Number.isInteger(asked) ? asked : undefined
  return /^\s*\d+\s*$/.test(asked) ? Number(asked) : undefined
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Columns that a row leaves out at its beginning or end. */
export function skippedOf(
  { table: { story } }: TableGrid,
  row: LiveNode,
  side: 'w:gridBefore' | 'w:gridAfter',
): number {
  return Math.max(0, numberOf(valOf(story.tree, row.child('w:trPr'), side)) ?? 0)
}
