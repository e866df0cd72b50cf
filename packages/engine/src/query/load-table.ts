import type {
  AmountColumn,
  DateColumn,
  DocumentTable,
  LoadedTable,
  MixedColumn,
  TableCell,
} from '@filewright/documents'
import type { Box } from '@filewright/protocol'
import { decimalIn, isAmount } from './amounts.ts'
import { orderOf, parseDate } from './dates.ts'
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
  const kinds = columns.map(newKind)
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
  const amounts = columns.flatMap((column, i): AmountColumn[] => {
    const { amounts: count, amount, commas, points } = kinds[i]!
    const decimal = commas > points ? ',' : '.'
    return count > 0 ? [{ column, count, example: amount, decimal }] : []
  })
  const dates = columns.flatMap((column, i): DateColumn[] => {
    const { dates: count, date, dayFirst, monthFirst } = kinds[i]!
    const order = dayFirst > 0 === monthFirst > 0 ? null : dayFirst > 0 ? 'dmy' : 'mdy'
    return count > 0 ? [{ column, count, example: date, order }] : []
  })
  const { warning } = table
  const about = warning === undefined ? {} : { warning }
  return { name, columns, headerRow, rowCount, staleRows, mixed, amounts, dates, ...about }
}

interface ColumnKind {
  numbers: number
  texts: number
  /** The first text, the first amount. */
  example: string
  amount: string
  amounts: number
  commas: number
  points: number
  /** The first date, and how many there are; of these, those that say what comes first. */
  date: string
  dates: number
  dayFirst: number
  monthFirst: number
}

function newKind(): ColumnKind {
  return {
    ...{ numbers: 0, texts: 0, example: '', amount: '', amounts: 0, commas: 0, points: 0 },
    ...{ date: '', dates: 0, dayFirst: 0, monthFirst: 0 },
  }
}

function noteKind(kind: ColumnKind, cell: TableCell): void {
  if (typeof cell === 'number') kind.numbers++
  if (typeof cell !== 'string') return
  if (kind.texts++ === 0) kind.example = cell.slice(0, 40)
  noteDate(kind, cell)
  if (!isAmount(cell)) return
  if (kind.amounts++ === 0) kind.amount = cell.trim()
  const decimal = decimalIn(cell)
  if (decimal === ',') kind.commas++
  if (decimal === '.') kind.points++
}

function noteDate(kind: ColumnKind, cell: string): void {
  const date = parseDate(cell)
  if (!date) return
  if (kind.dates++ === 0) kind.date = cell.trim()
  const order = orderOf(date)
  if (order === 'dmy') kind.dayFirst++
  if (order === 'mdy') kind.monthFirst++
}

function toSqlite(cell: TableCell): SqliteValue {
  return typeof cell === 'boolean' ? Number(cell) : cell
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
