import { type Box, ok, type Result } from '@filewright/protocol'
import type { DocumentTable, TableCell, TableRow } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { showCell } from '../book/show.ts'
import { usedBox } from '../book/used.ts'
import { parseBox } from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'
import { tablesOf } from '../parts/sheet-parts.ts'

const ROWS_AT_ONCE = 1_000

/** Each sheet with cells, and the tables on it, for queries. */
export function tablesOfBook(book: Book): Result<readonly DocumentTable[]> {
  const tables: DocumentTable[] = []
  for (const sheet of book.sheets) {
    if (sheet.kind === 'chartsheet') continue
    const used = usedBox(sheet)
    if (!used.ok) return used
    const box = used.value
    if (!box) continue
    const rows = (part = box) => rowsOf(book, sheet, within(part, box))
    tables.push({ name: sheet.name, region: { sheet: sheet.name }, box, rows })
  }
  const names = new Set(tables.map(({ name }) => name.toLowerCase()))
  const parts = book.sheets.flatMap(sheet => tablesOn(book, sheet))
  return ok([...tables, ...parts.filter(({ name }) => !names.has(name.toLowerCase()))])
}

/** Their rows without the totals. */
function tablesOn(book: Book, sheet: Sheet): DocumentTable[] {
  return tablesOf(book.part, sheet).flatMap(({ name, ref, headerRows, hasTotals }) => {
    const whole = parseBox(ref)
    if (!whole) return []
    const box = { ...whole, bottom: whole.bottom - (hasTotals ? 1 : 0) }
    const rows = (part = box) => rowsOf(book, sheet, within(part, box))
    const headerRow = headerRows > 0 ? box.top : null
    return [
      { name, region: { sheet: sheet.name, range: name }, box, headerRow, isPart: true, rows },
    ]
  })
}

/** The columns as asked; rows beyond the last used one have no value. */
function within(part: Box, used: Box): Box {
  return { ...part, top: Math.max(part.top, used.top), bottom: Math.min(part.bottom, used.bottom) }
}

function* rowsOf(book: Book, sheet: Sheet, box: Box): Generator<TableRow> {
  for (let top = box.top; top <= box.bottom; top += ROWS_AT_ONCE) {
    const found = new Map<number, { cells: TableCell[]; isStale: boolean }>()
    const bottom = Math.min(top + ROWS_AT_ONCE - 1, box.bottom)
    const scanned = book.values.scan(sheet, { ...box, top, bottom }, cell => {
      if (cell.content.type === 'empty' && !cell.formula) return
      const own = found.get(cell.row) ?? { cells: emptyRow(box), isStale: false }
      own.cells[cell.column - box.left] = toValue(book, cell)
      own.isStale ||= cell.isStale === true
      found.set(cell.row, own)
    })
    if (!scanned.ok) return // the used range was found by the same scan
    for (const row of [...found.keys()].sort((a, b) => a - b)) {
      const { cells, isStale } = found.get(row)!
      yield { row, cells, ...(isStale && { isStale }) }
    }
  }
}

function emptyRow({ left, right }: Box): TableCell[] {
  return new Array<TableCell>(right - left + 1).fill(null)
}

function toValue(book: Book, cell: CellNow): TableCell {
  const { content } = cell
  if (cell.isStale || content.type === 'empty') return null
  if (content.type !== 'number') return content.value
  const shown = showCell(book, cell)
  return shown.type === 'date' ? (shown.raw ?? shown.text) : content.value
}
