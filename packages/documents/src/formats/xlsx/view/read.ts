import { type Box, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import { hiddenLines } from '../book/hidden.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellFields, renderCell } from '../book/show.ts'
import { knownUsedBox, usedBox } from '../book/used.ts'
import {
  boxName,
  cellName,
  contains,
  intersects,
  isOneCell,
  MAX_COLUMN,
  MAX_ROW,
  parseCell,
  WHOLE_SHEET,
} from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'
import type { WorkbookRegion } from '../declared/selectors.ts'
import { commentsOf, dimensionOf, type SheetComment } from '../parts/sheet-parts.ts'
import { describeStyles, stylesOf } from '../parts/style-notes.ts'
import { cellsWithLooks } from './empty-looks.ts'
import { type CellPage, type PageRow, renderTable } from './page-table.ts'
import { beyondEnd, resolveRegion, type SheetPlace } from './region.ts'

const MAX_CELL_CHARS = 2_000 // of one cell in a table; a cell read alone is shown whole
const NOTE_SHARE = 0.2 // of the bytes, for the notes below the table
const FIRST_ROWS = 64 // rows read at once; doubled while the page is not full

export function readRegion(
  book: Book,
  region: WorkbookRegion,
  options: ReadOptions,
): Result<Reading> {
  const reading = readPlace(book, region, options)
  const others = region.sheet === undefined ? book.sheets.map(({ name }) => name) : []
  return reading.ok && others.length > 1 ? ok(withOthers(reading.value, others)) : reading
}

const MOST_SHEETS = 50

/** Whoever names no sheet may not know that there are several. */
function withOthers(reading: Reading, names: readonly string[]): Reading {
  const otherSheets = names.filter(name => name !== reading.fields.sheet)
  const note = `other sheets: ${listed(otherSheets.map(quoted), MOST_SHEETS)}`
  return {
    ...reading,
    text: `${reading.text}\n${note}`,
    fields: { ...reading.fields, otherSheets: otherSheets.slice(0, MOST_SHEETS) },
  }
}

function quoted(name: string): string {
  return JSON.stringify(name)
}

function readPlace(book: Book, region: WorkbookRegion, options: ReadOptions): Result<Reading> {
  const place = resolveRegion(book, region)
  if (!place.ok) return place
  if ('empty' in place.value) return ok(emptyReading(place.value.empty))
  const { sheet, isWholeSheet } = place.value
  const { maxBytes, wholeBytes = maxBytes } = options
  const most = isWholeSheet ? Math.min(maxBytes, wholeBytes) : maxBytes
  const page = readPage(book, place.value, Math.floor(most * (1 - NOTE_SHARE)))
  if (!page.ok) return page
  if (page.value.rows.length === 0) return emptyRange(book, place.value, options)
  return toReading(book, sheet, place.value, page.value, options)
}

function readPage(book: Book, place: SheetPlace, maxBytes: number): Result<CellPage> {
  const { sheet, box } = place
  const rows: PageRow[] = []
  const columns = new Set<number>()
  let textBytes = 0
  let top = box.top
  let height = FIRST_ROWS
  while (top <= box.bottom) {
    const next = nextRow(sheet, top, box.bottom)
    if (!next.ok) return next
    if (next.value > box.bottom) break
    top = next.value
    const bottom = Math.min(top + height - 1, box.bottom)
    const found = readRows(book, sheet, { ...box, top, bottom })
    if (!found.ok) return found
    for (const own of found.value) {
      const added = own.cells.filter(({ cell }) => !columns.has(cell.column)).length
      const bytes = own.cells.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
      const size = textBytes + bytes + (rows.length + 1) * (columns.size + added + 8)
      if (size > maxBytes) return ok(cutPage(place, rows, own, columns, maxBytes))
      for (const { cell } of own.cells) columns.add(cell.column)
      textBytes += bytes
      rows.push(own)
    }
    top = bottom + 1
    height *= 2
  }
  return ok({ rows, box, columns: sorted(columns) })
}

/** Where the page is full: above that row, or inside it if it is the first. */
function cutPage(
  place: SheetPlace,
  rows: readonly PageRow[],
  own: PageRow,
  columns: Set<number>,
  maxBytes: number,
): CellPage {
  const { box } = place
  if (rows.length > 0)
    return {
      rows,
      box: { ...box, bottom: own.row - 1 },
      rest: { ...box, top: own.row },
      columns: sorted(columns),
    }
  let size = 0
  const cells = own.cells.filter(({ text }, index) => {
    size += Buffer.byteLength(text) + 9
    return index === 0 || size <= maxBytes
  })
  const first = cells[0]
  const fitted =
    cells.length === 1 && first ? [{ ...first, text: cutText(first.text, maxBytes) }] : cells
  const right =
    cells.length < own.cells.length ? own.cells[cells.length]!.cell.column - 1 : box.right
  const isWhole = right === box.right
  const below = own.row < box.bottom ? { ...box, top: own.row + 1 } : undefined
  return {
    rows: [{ row: own.row, cells: fitted }],
    box: { ...box, bottom: own.row, right },
    rest: isWhole ? below : { top: own.row, bottom: own.row, left: right + 1, right: box.right },
    ...(!isWhole && below && { later: below }),
    columns: sorted(new Set(fitted.map(({ cell }) => cell.column))),
  }
}

function readRows(book: Book, sheet: Sheet, box: Box): Result<PageRow[]> {
  const rows: { row: number; cells: { cell: CellNow; text: string }[] }[] = []
  const alone = isOneCell(box)
  const above = new Map<number, CellNow>()
  const scanned = book.values.scan(sheet, box, cell => {
    if (cell.content.type === 'empty' && !cell.formula) return
    const text = renderCell(book, cell, cell.formula && above.get(cell.column))
    if (cell.formula) above.set(cell.column, cell)
    const shown = alone ? text : cutText(text, MAX_CELL_CHARS)
    const last = rows.at(-1)
    if (last?.row === cell.row) last.cells.push({ cell, text: shown })
    else rows.push({ row: cell.row, cells: [{ cell, text: shown }] })
  })
  if (!scanned.ok) return scanned
  return ok(rows.map(({ row, cells }) => ({ row, cells: inOrder(cells) })))
}

/** If two cells have the same address, the last counts. */
function inOrder(cells: { cell: CellNow; text: string }[]): { cell: CellNow; text: string }[] {
  const sorted = cells.sort((a, b) => a.cell.column - b.cell.column)
  return sorted.filter(({ cell }, index) => sorted[index + 1]?.cell.column !== cell.column)
}

function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`
}

/** The next row in the file or in an edit, so that empty ones cost nothing. */
function nextRow(sheet: Sheet, from: number, bottom: number): Result<number> {
  const xml = sheet.xmlTo(from)
  if (!xml.ok) return xml
  let whole = xml.value
  let index = whole.findRow(from)
  if (index >= whole.rows.count && !whole.isWhole) {
    const all = sheet.xmlTo(bottom)
    if (!all.ok) return all
    whole = all.value
    index = whole.findRow(from)
  }
  let row = index < whole.rows.count ? whole.rows.numbers[index]! : Number.POSITIVE_INFINITY
  if (sheet.cells.size > 0)
    for (const own of sheet.editsIn({ top: from, bottom: MAX_ROW, left: 1, right: MAX_COLUMN })) {
      row = Math.min(row, own.row)
      break
    }
  return ok(row)
}

function toReading(
  book: Book,
  sheet: Sheet,
  place: SheetPlace,
  page: CellPage,
  options: ReadOptions,
): Result<Reading> {
  // what was asked for is shown to its edges, also where nothing is in the cells
  const shownBox = place.isWholeSheet ? boxOf(page) : page.box
  const total = totalOf(sheet, place)
  const merges = mergesIfCheap(book, sheet)
  const own = merges?.ok ? merges.value.filter(box => intersects(box, shownBox)) : []
  const comments = commentsOf(book.part, sheet).filter(comment => isInside(comment, shownBox))
  const hidden = hiddenLines(sheet, boxOf(page))
  const table = renderTable(page)
  const next: WorkbookRegion | undefined = page.rest && {
    sheet: sheet.name,
    range: boxName(page.rest),
  }
  const looked = place.isWholeSheet && !page.rest ? { ...WHOLE_SHEET, top: shownBox.top } : page.box
  const styles = options.styles ? stylesOf(book, cellsWithLooks(book, sheet, looked)) : undefined
  const spaced = page.rows.flatMap(({ cells }) =>
    cells.flatMap(({ cell, text }) =>
      /[\u00a0\u202f]/.test(text) ? [cellName(cell.row, cell.column)] : [],
    ),
  )
  const stale = page.rows.some(({ cells }) => cells.some(({ cell }) => cell.isStale))
  const notes = [
    !merges && 'merged cells: see the map (this large sheet was read only down to these rows)',
    own.length > 0 && `merged: ${listed(own.map(boxName), 40)}`,
    hidden.rows.length > 0 && `hidden rows: ${listed(hidden.rows, 40)}`,
    hidden.columns.length > 0 && `hidden columns: ${listed(hidden.columns, 40)}`,
    spaced.length > 0 &&
      `no-break spaces, shown as spaces and found as spaces: ${listed(spaced, 8)}`,
    comments.length > 0 && `comments:\n${comments.slice(0, 40).map(renderComment).join('\n')}`,
    styles && `styles:\n${describeStyles(styles)}`,
    table.left.length > 0 && `columns without content: ${listed(table.left, 12)}`,
    page.rows.some(({ cells }) => cells.some(({ text }) => text.endsWith('{↑}'))) &&
      '{↑} = the formula of the cell above, moved down one row',
    stale && '? = no value yet: it is calculated when the file is opened in a spreadsheet program',
    next &&
      `next: sheet ${JSON.stringify(sheet.name)}, range ${next.range}${page.later ? `, then ${boxName(page.later)}` : ''}`,
  ].filter(note => typeof note === 'string')
  const shown = boxName(page.box)
  const head = `sheet ${JSON.stringify(sheet.name)}${sheet.visibility === 'visible' ? '' : ` (${sheet.visibility})`}, cells ${shown} of ${total}`
  return ok({
    text: [head, table.text, ...notes].join('\n'),
    fields: {
      sheet: sheet.name,
      range: shown,
      usedRange: total.replace(/^at most /, ''),
      isUsedRangeExact: !total.startsWith('at most'),
      cells: page.rows.flatMap(({ cells }) =>
        cells.map(({ cell }) => cellFields(book, cell, cellName(cell.row, cell.column))),
      ),
      merges: merges ? own.map(boxName) : null,
      comments,
      hiddenRows: hidden.rows,
      hiddenColumns: hidden.columns,
      ...(styles && { styles }),
      next: next ?? null,
    },
    shown,
    total,
    ...(next && { next }),
  })
}

function boxOf(page: CellPage): Box {
  const { rows, columns } = page
  return {
    top: rows[0]!.row,
    bottom: rows.at(-1)!.row,
    left: columns[0]!,
    right: columns.at(-1)!,
  }
}

/** Merges follow the cells: a read that did not unpack the whole sheet does not unpack it for them. */
function mergesIfCheap(book: Book, sheet: Sheet): Result<readonly Box[]> | undefined {
  const xml = sheet.xmlTo(1)
  return sheet.merges || (xml.ok && xml.value.isWhole) ? book.mergesOf(sheet) : undefined
}

const SMALL_SHEET = 2_000_000 // bytes of XML scanned for an exact answer

/**
 * The used range if known; otherwise the range that a large sheet claims, which may be larger: scanning it would cost
 * more than the read.
 */
function totalOf(sheet: Sheet, place: SheetPlace): string {
  if (place.used) return boxName(place.used)
  const known = knownUsedBox(sheet)
  if (known) return boxName(known)
  const xml = sheet.xmlTo(1)
  const isSmall = xml.ok && xml.value.isWhole && xml.value.bytes.length < SMALL_SHEET
  const claimed = xml.ok && !isSmall && sheet.cells.size === 0 ? dimensionOf(xml.value) : undefined
  if (claimed) return `at most ${boxName(claimed)}`
  const used = usedBox(sheet)
  return used.ok && used.value ? boxName(used.value) : 'nothing'
}

function emptyReading(sheet: Sheet): Reading {
  const text = `sheet ${JSON.stringify(sheet.name)} is empty`
  return {
    text,
    fields: { sheet: sheet.name, range: null, usedRange: null, cells: [], next: null },
    shown: 'nothing',
    total: 'nothing',
  }
}

/** A range without a value: empty cells within the data, or beyond its end. */
function emptyRange(book: Book, place: SheetPlace, options: ReadOptions): Result<Reading> {
  const { sheet, box } = place
  const used = usedBox(sheet)
  if (!used.ok) return used
  const all = book.mergesOf(sheet)
  const merges = all.ok ? all.value.filter(own => intersects(own, box)).map(boxName) : []
  const found = stylesOf(book, cellsWithLooks(book, sheet, box))
  const isBeyond = used.value
    ? box.top > used.value.bottom || box.left > used.value.right
    : box.top > 1 || box.left > 1
  if (isBeyond && merges.length === 0 && found.length === 0)
    return beyondEnd(sheet, box, used.value)
  const total = used.value ? boxName(used.value) : 'nothing'
  const shown = boxName(box)
  const styles = options.styles ? found : undefined
  const notes = [
    `sheet ${JSON.stringify(sheet.name)}, cells ${shown} of ${total}: all empty`,
    ...(merges.length > 0 ? [`merged: ${listed(merges, 40)}`] : []),
    ...(styles ? [`styles:\n${describeStyles(styles)}`] : []),
  ]
  return ok({
    text: notes.join('\n'),
    fields: {
      sheet: sheet.name,
      range: shown,
      usedRange: used.value ? total : null,
      cells: [],
      merges,
      ...(styles && { styles }),
      next: null,
    },
    shown,
    total,
  })
}

function isInside(comment: SheetComment, box: Box): boolean {
  const at = parseCell(comment.cell)
  return at !== undefined && contains(box, at.row, at.column)
}

function renderComment({ cell, author, text }: SheetComment): string {
  return `${cell}${author?.trim() ? ` (${author})` : ''}: ${cutText(text.trim().replace(/\s*\n\s*/g, ' / '), 500)}`
}

export function listed(items: readonly string[], limit: number): string {
  return items.length <= limit
    ? items.join(', ')
    : `${items.slice(0, limit).join(', ')} and ${items.length - limit} more`
}

function sorted(columns: ReadonlySet<number>): number[] {
  return [...columns].sort((a, b) => a - b)
}
