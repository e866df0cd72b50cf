import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { type Box, counted, fail, ok, type Reading, type Result } from '@filewright/protocol'
import type {
  DocumentName,
  DocumentTable,
  ReadableDocument,
  ReadableFormat,
  ReadOptions,
  TableCell,
  TableRow,
} from '../../format.ts'
import { readZip } from '../../opc/index.ts'
import { type SearchedPiece, searchPieces } from '../../search-pieces.ts'

const MOST_CELL_CHARACTERS = 2_000

type RowRegion = {
  readonly sheet?: string
  readonly row_start?: number
  readonly row_count?: number
}

/** Cells as the file stores them: formulas are not computed. */
export const oldbookFormat: ReadableFormat = {
  open(bytes, name) {
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
    const zip = isZip ? readZip(bytes) : undefined // bounded before it is unpacked
    if (zip && !zip.ok) return zip
    const isOld = bytes[0] === 0xd0 && bytes[1] === 0xcf
    if (!isZip && !isOld) return refuse(name, 'its first bytes are of none')
    try {
      return ok(openBook(read(bytes, { type: 'array', dense: true, cellDates: true }), name))
    } catch (error) {
      const isLocked = error instanceof Error && /password|encrypt/i.test(error.message)
      return isLocked
        ? fail(
            'ENCRYPTED',
            `Cannot read "${name.path}": it is encrypted and needs a password. Ask the person for a copy without one.`,
          )
        : refuse(name, 'it is damaged')
    }
  },
}

function refuse({ path }: DocumentName, why: string) {
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot read "${path}": it is named like a spreadsheet, but ${why}. Ask the person to save it as .xlsx.`,
  )
}

function openBook(book: WorkBook, name: DocumentName): ReadableDocument {
  return {
    map: () => {
      const sheets = book.SheetNames.map(sheet => ({ name: sheet, ...extentOf(book, sheet) }))
      const lines = sheets.map(
        ({ name: sheet, bottom, right }) =>
          `sheet ${JSON.stringify(sheet)}: ${counted(bottom, 'row')}, ${counted(right, 'column')}`,
      )
      return ok({
        text: [`${name.path}: older workbook, read-only`, ...lines].join('\n'),
        fields: { kind: 'workbook', sheets },
      })
    },
    read: (region: RowRegion, options) => readRows(book, name, region, options),
    search: query => ok(searchPieces(cellsOf(book), query)),
    tables: () => ok(book.SheetNames.flatMap(sheet => toTable(book, sheet))),
  }
}

function sheetOf(book: WorkBook, sheet: string): WorkSheet {
  return book.Sheets[sheet] ?? {}
}

function extentOf(book: WorkBook, sheet: string): Box {
  const ref = sheetOf(book, sheet)['!ref']
  if (!ref) return { top: 1, left: 1, bottom: 0, right: 0 }
  const { e } = utils.decode_range(ref)
  return { top: 1, left: 1, bottom: e.r + 1, right: e.c + 1 }
}

function cellAt(book: WorkBook, sheet: string, row: number, column: number) {
  const rows = sheetOf(book, sheet)['!data'] as (CellObject | undefined)[][] | undefined
  return rows?.[row - 1]?.[column - 1]
}

function textOf(cell: CellObject | undefined): string {
  if (!cell || cell.v === undefined) return ''
  const text = cell.v instanceof Date ? isoOf(cell.v) : (cell.w ?? String(cell.v))
  return text.length <= MOST_CELL_CHARACTERS ? text : `${text.slice(0, MOST_CELL_CHARACTERS)}…`
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime())
    ? ''
    : date.toISOString().replace(/T00:00:00\.000Z$|\.000Z$/, '')
}

function valueOfCell(cell: CellObject | undefined): TableCell {
  if (!cell || cell.v === undefined || cell.t === 'z') return null
  if (cell.t === 'n' || cell.t === 'b') return cell.v as number | boolean
  return textOf(cell) || null
}

function readRows(
  book: WorkBook,
  { path }: DocumentName,
  region: RowRegion,
  { maxBytes }: ReadOptions,
): Result<Reading> {
  const sheet = region.sheet ?? book.SheetNames[0]
  if (sheet === undefined || !book.SheetNames.includes(sheet))
    return fail(
      'NO_SUCH_REGION',
      `Cannot read sheet ${JSON.stringify(sheet)} of "${path}": the sheets are ${book.SheetNames.join(', ')}.`,
    )
  const { bottom, right } = extentOf(book, sheet)
  const start = region.row_start ?? 1
  if (start < 1 || start > Math.max(1, bottom))
    return fail(
      'NO_SUCH_REGION',
      `Cannot read "${path}" from row ${start}: its last row is ${bottom}.`,
    )
  const last = Math.min(bottom, start + (region.row_count ?? bottom) - 1)
  const rows: string[][] = []
  const lines: string[] = []
  let size = 0
  for (let row = start; row <= last; row++) {
    const cells = Array.from({ length: right }, (_, c) => textOf(cellAt(book, sheet, row, c + 1)))
    const line = `${row}|${cells.map(quoteFrame).join('|')}`
    size += Buffer.byteLength(line) + 1
    if (size > maxBytes && lines.length > 0) break
    rows.push(cells)
    lines.push(line.slice(0, maxBytes))
  }
  const end = start + lines.length - 1
  const shown = lines.length === 0 ? 'no rows' : `rows ${start}-${end}`
  const next = end < last ? { sheet, row_start: end + 1 } : undefined
  const head = `${path} · sheet ${JSON.stringify(sheet)} · ${shown} of ${bottom} · read-only`
  const hint = next ? [`… continue with row_start ${next.row_start}`] : []
  const others = book.SheetNames.filter(other => other !== sheet)
  const rest =
    region.sheet === undefined && others.length > 0 ? [`other sheets: ${others.join(', ')}`] : []
  return ok({
    text: [head, ...lines, ...hint, ...rest].join('\n'),
    fields: { sheet, rows },
    shown,
    total: counted(bottom, 'row'),
    ...(next && { next }),
  })
}

/** Quoted where it could be mistaken for the frame of the table. */
function quoteFrame(cell: string): string {
  return /[|\n\r]|^[\s"]|\s$/.test(cell) ? JSON.stringify(cell) : cell
}

function* cellsOf(book: WorkBook): Generator<SearchedPiece> {
  for (const sheet of book.SheetNames) {
    const { bottom, right } = extentOf(book, sheet)
    for (let row = 1; row <= bottom; row++)
      for (let column = 1; column <= right; column++)
        yield {
          text: textOf(cellAt(book, sheet, row, column)),
          region: { sheet, row_start: row, row_count: 1 },
          place: `${sheet}!${utils.encode_cell({ r: row - 1, c: column - 1 })}`,
        }
  }
}

function toTable(book: WorkBook, sheet: string): DocumentTable[] {
  const box = extentOf(book, sheet)
  if (box.bottom === 0) return []
  function* rows({ top, left, bottom, right }: Box = box): Generator<TableRow> {
    for (let row = Math.max(1, top); row <= Math.min(bottom, box.bottom); row++) {
      const cells = Array.from({ length: right - left + 1 }, (_, index) =>
        valueOfCell(cellAt(book, sheet, row, left + index)),
      )
      if (cells.some(cell => cell !== null)) yield { row, cells }
    }
  }
  return [{ name: sheet, region: { sheet }, box, rows }]
}
