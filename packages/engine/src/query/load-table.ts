import type { DocumentTable, LoadedTable, MixedColumn, TableCell } from '@filewright/documents'
import type { Box } from '@filewright/protocol'
import type { QueryDatabase, SqliteValue } from './sqlite.ts'
import { layOut } from './table-columns.ts'

/** Copies a table, each cell with its own type, under a name; `_row` is the row in the source. */
export function loadTable(
  database: QueryDatabase,
  name: string,
  table: DocumentTable,
  { box, headerRow: asked }: { readonly box: Box; readonly headerRow?: number | null },
): LoadedTable {
  const { columns, headerRow, box: body } = layOut(table, box, asked)
  // Without a type, a column keeps what it is given: text among numbers stays text.
  database.exec(`CREATE TABLE ${quoted(name)} (${['_row', ...columns].map(quoted).join(', ')})`)
  const marks = new Array(columns.length + 1).fill('?').join(', ')
  const insert = database.prepare(`INSERT INTO ${quoted(name)} VALUES (${marks})`)
  const kinds = columns.map(() => ({ numbers: 0, texts: 0, example: '' }))
  let rowCount = 0
  let staleRows = 0
  database.exec('BEGIN')
  for (const { row, cells, isStale } of body.top <= body.bottom ? table.rows(body) : []) {
    insert.run(row, ...cells.map(toSqlite))
    rowCount++
    if (isStale) staleRows++
    for (const [i, cell] of cells.entries()) noteKind(kinds[i]!, cell)
  }
  database.exec('COMMIT')
  const mixed = columns.flatMap((column, i): MixedColumn[] => {
    const { numbers, texts, example } = kinds[i]!
    return numbers > 0 && texts > 0 ? [{ column, numbers, texts, example }] : []
  })
  return { name, columns, headerRow, rowCount, staleRows, mixed }
}

function noteKind(kind: { numbers: number; texts: number; example: string }, cell: TableCell) {
  if (typeof cell === 'number') kind.numbers++
  else if (typeof cell === 'string') {
    if (kind.texts++ === 0) kind.example = cell.slice(0, 40)
  }
}

function toSqlite(cell: TableCell): SqliteValue {
  return typeof cell === 'boolean' ? Number(cell) : cell
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
