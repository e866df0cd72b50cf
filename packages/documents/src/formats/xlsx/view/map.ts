import { counted, ok, type Result } from '@filewright/protocol'
import type { FileMap } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import { hiddenColumns, isRowHidden, runs } from '../book/hidden.ts'
import type { Sheet } from '../book/sheet.ts'
import { noteUsedBox } from '../book/used.ts'
import { boxName, columnName, WHOLE_SHEET } from '../cell/address.ts'
import { CellScan, T_BOOLEAN, T_DATE, T_ERROR, T_NUMBER, T_SHARED } from '../cell/cell-scan.ts'
import type { CellNow } from '../cell/cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { Styles } from '../cell/styles.ts'
import { commentsOf, drawingsOf, pivotsOf, settingsOf, tablesOf } from '../parts/sheet-parts.ts'
import { withHeaders } from '../table/table-columns.ts'
import { checkSheet, type SheetCheck } from './check-sheet.ts'
import { ChunkFinder } from './chunks.ts'
import { COLUMNS_SHOWN, clip, describeIslands } from './describe-islands.ts'
import {
  C_BOOLEAN,
  C_DATE,
  C_ERROR,
  C_NUMBER,
  C_TEXT,
  type Island,
  IslandFinder,
} from './islands.ts'
import { cellLinks, firstOf, linkLines, pictureLines, propertyLines } from './map-objects.ts'
import { listed } from './read.ts'
import { setupOf } from './sheet-setup.ts'

const ISLANDS_SHOWN = 12
const TEXT_BUDGET = 10_000 // characters of the sheets; further ones get one line each
const NAMES_SHOWN = 20
const NAME_CHARACTERS = 80 // of what a name refers to

export function mapBook(book: Book): Result<FileMap> {
  const strings = book.part.strings()
  if (!strings.ok) return strings
  const sheets: SheetMap[] = []
  const warnings: string[] = []
  let written = 0
  for (const [index, sheet] of book.sheets.entries()) {
    const own = mapSheet(book, sheet, index, written > TEXT_BUDGET)
    if (!own.ok) {
      if (book.sheets.length === 1) return own
      warnings.push(own.failure.message)
      sheets.push(unreadable(sheet, index))
      continue
    }
    sheets.push(own.value)
    written += own.value.text.length
  }
  if (sheets.length > 0 && warnings.length === sheets.length)
    return { ok: false, failure: firstFailure(book) }
  const names = book.definedNames.filter(name => !name.isHidden && !name.name.startsWith('_xlnm.'))
  const flags = [
    book.part.hasMacros && 'has macros (kept, not run)',
    book.part.is1904 && 'dates count from 1904',
    book.part.isSigned && 'digitally signed: an edit breaks the signature',
    book.part.isStructureProtected && 'its structure is protected',
  ].filter(flag => typeof flag === 'string')
  const text = [
    `workbook with ${counted(book.sheets.length, 'sheet')}${flags.length > 0 ? `; ${flags.join('; ')}` : ''}`,
    ...propertyLines(book),
    ...(names.length > 0
      ? [
          `names: ${listed(
            names.map(({ name, text, localSheet }) => {
              const sheet = localSheet === undefined ? undefined : book.sheets[localSheet]
              return `${name}${sheet ? ` on ${JSON.stringify(sheet.name)}` : ''} = ${clip(text, NAME_CHARACTERS)}`
            }),
            NAMES_SHOWN,
          )}`,
        ]
      : []),
    ...sheets.map(own => own.text),
    ...(written > TEXT_BUDGET
      ? ['sheets with one line alone: read_file shows what is on them']
      : []),
  ].join('\n')
  return ok({
    text,
    fields: {
      format: 'xlsx',
      hasMacros: book.part.hasMacros,
      is1904: book.part.is1904,
      isSigned: book.part.isSigned,
      names: names.slice(0, 500).map(({ name, text: refersTo, localSheet }) => ({
        name,
        refersTo,
        ...(localSheet !== undefined && { sheet: book.sheets[localSheet]?.name }),
      })),
      sheets: sheets.map(own => own.fields),
    },
    ...(warnings.length > 0 && { warnings }),
  })
}

/** One line for each kind of odd place. */
function checkLines(found: readonly SheetCheck[]): string[] {
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  return kinds.map(kind => {
    const own = found.filter(each => each.kind === kind)
    return `check: ${kind}: ${listed(
      own.map(({ cell, note }) => `${cell} ${clip(note, 60)}`),
      4,
    )}`
  })
}

interface SheetMap {
  readonly text: string
  readonly fields: Record<string, unknown>
}

function mapSheet(book: Book, sheet: Sheet, index: number, isBrief: boolean): Result<SheetMap> {
  const title = `${index + 1}. ${JSON.stringify(sheet.name)}${sheet.visibility === 'visible' ? '' : ` (${sheet.visibility})`}`
  const base = { name: sheet.name, index, visibility: sheet.visibility, kind: sheet.kind }
  const rewritten = (formula: string) => book.rewriteFormula(formula, sheet)
  const { charts: drawn, images, shapes } = drawingsOf(book.part, sheet)
  const charts = drawn.map(chart => ({
    ...chart,
    sources: [...new Set(chart.sources.map(rewritten))],
  }))
  const chartLines = charts.map(
    chart =>
      `${chart.kind} chart${chart.title ? ` ${JSON.stringify(chart.title)}` : ''}${chart.anchor ? ` at ${chart.anchor}` : ''}${chart.sources.length > 0 ? ` of ${listed(chart.sources, 4)}` : ''}${chart.name ? `, named ${JSON.stringify(chart.name)}` : ''}`,
  )
  if (sheet.kind === 'chartsheet')
    return ok({
      text: `${title}: chart sheet; ${chartLines.join('; ')}`,
      fields: { ...base, charts },
    })
  const xml = sheet.xml()
  if (!xml.ok) return xml
  const found = scanSheet(book, sheet, xml.value)
  if (!found.ok) return found
  const { finder, islands, skipped, hiddenRows, chunks } = found.value
  const { used } = finder
  const settings = settingsOf(xml.value, rewritten)
  const setup = setupOf(book, sheet)
  const merges = book.mergesOf(sheet)
  const merged = merges.ok ? merges.value : []
  const tables = tablesOf(book.part, sheet).map(own => withHeaders(book, sheet, own))
  const pivots = pivotsOf(book.part, sheet, rewritten)
  const comments = commentsOf(book.part, sheet)
  const links = cellLinks(book.part, sheet, xml.value, rewritten)
  const columns = runs(hiddenColumns(sheet, xml.value), columnName)
  const checked = checkSheet(book, sheet, finder.cellCount)
  if (!checked.ok) return checked
  const described = describeIslands(book, sheet, islands.slice(0, ISLANDS_SHOWN))
  if (!described.ok) return described
  const head = used
    ? `${title}: ${boxName(used)}, ${count(finder.cellCount, 'cell')}${finder.formulaCount > 0 ? `, ${count(finder.formulaCount, 'formula')}` : ''}`
    : `${title}: empty`
  const lines = [
    ...firstOf(
      'table',
      tables.map(
        table =>
          `table ${table.name} ${table.ref}: ${listed(table.columns, COLUMNS_SHOWN)}${table.hasTotals ? ' (with a totals row)' : ''}`,
      ),
    ),
    ...described.value.map(own => own.text),
    islands.length + skipped > ISLANDS_SHOWN &&
      `and ${counted(islands.length + skipped - ISLANDS_SHOWN, 'more block')} of data`,
    merged.length > 0 &&
      `merged: ${count(merged.length, 'range')}: ${listed(merged.map(boxName), 12)}`,
    ...firstOf('chart', chartLines),
    ...firstOf(
      'pivot table',
      pivots.map(
        pivot =>
          `pivot table ${pivot.name} at ${pivot.ref} of ${pivot.source}${pivot.shows ? `: ${pivot.shows}` : ''}`,
      ),
    ),
    ...pictureLines(images),
    shapes > 0 && count(shapes, 'shape'),
    comments.length > 0 &&
      `comments at ${listed(
        comments.map(comment => comment.cell),
        20,
      )}`,
    settings.validations.length > 0 &&
      `validation: ${listed(
        settings.validations.map(
          own =>
            `${clip(own.ref, 60)} ${own.kind}${own.formula ? ` ${clip(own.formula, 60)}` : ''}`,
        ),
        8,
      )}`,
    ...linkLines(links),
    settings.isProtected && 'protected: an edit needs allow_protected',
    ...setup.lines,
    hiddenRows.length > 0 && `hidden rows: ${listed(hiddenRows, 12)}`,
    columns.length > 0 && `hidden columns: ${listed(columns, 12)}`,
    ...checkLines(checked.value ?? []),
    chunks.length > 1 && `read in ${chunks.length} pieces: ${listed(chunks, 3)}`,
  ].filter(line => typeof line === 'string')
  return ok({
    text: isBrief ? head : [head, ...lines.map(line => `   ${line}`)].join('\n'),
    fields: {
      ...base,
      usedRange: used ? boxName(used) : null,
      cellCount: finder.cellCount,
      formulaCount: finder.formulaCount,
      islands: described.value.map(own => own.fields),
      tables: tables.map(({ part: _part, ...table }) => table),
      merges: merged.slice(0, 200).map(boxName),
      mergeCount: merged.length,
      charts,
      pivots,
      images: images.length,
      pictures: images.slice(0, 100),
      shapes,
      comments: comments.slice(0, 200).map(comment => comment.cell),
      validations: settings.validations.slice(0, 100),
      links: links.slice(0, 200),
      isProtected: settings.isProtected,
      ...setup.fields,
      hiddenRows: hiddenRows.slice(0, 200),
      hiddenColumns: columns,
      chunks: chunks.slice(0, 200),
      check: checked.value ?? null,
    },
  })
}

interface Scanned {
  readonly finder: IslandFinder
  readonly islands: readonly Island[]
  readonly skipped: number
  readonly hiddenRows: string[]
  readonly chunks: readonly string[]
}

/** One pass over the cells. Without edits and new looks it uses only offsets and decodes no value. */
function scanSheet(book: Book, sheet: Sheet, xml: SheetXml): Result<Scanned> {
  const finder = new IslandFinder()
  const styles = book.part.styles()
  const strings = book.part.strings()
  if (!strings.ok) return strings
  const chunks = new ChunkFinder(styles, strings.value, book.part.is1904)
  const hidden: number[] = []
  if (book.mayBeStale || sheet.looks.size > 0) {
    const scanned = book.values.scan(sheet, WHOLE_SHEET, cell => {
      if (cell.content.type === 'empty' && !cell.formula) return
      finder.add(cell.row, cell.column, classOf(cell, styles), cell.formula !== undefined)
      chunks.addCell(cell)
    })
    if (!scanned.ok) return scanned
  } else {
    const cell = new CellScan()
    const { count } = strings.value
    const visit = (own: CellScan) => {
      if (!own.hasContent) return
      const shared = own.type === T_SHARED ? own.sharedIndex() : -1
      const cellClass = shared < 0 ? scanClass(own, styles) : shared < count ? C_TEXT : C_ERROR
      finder.add(own.row, own.column, cellClass, own.formulaStart >= 0)
      chunks.addScan(own, shared)
    }
    for (let index = 0; index < xml.rows.count; index++) xml.scanRow(index, cell, visit)
  }
  for (let index = 0; index < xml.rows.count; index++) {
    const row = xml.rows.numbers[index]!
    if (sheet.rows.get(row)?.hidden ?? isRowHidden(xml, index)) hidden.push(row)
  }
  for (const [row, edit] of sheet.rows) if (edit.hidden && !hidden.includes(row)) hidden.push(row)
  hidden.sort((a, b) => a - b)
  const { islands, skipped } = finder.finish()
  if (!book.mayBeStale) noteUsedBox(xml, finder.used)
  return ok({
    finder,
    islands,
    skipped,
    hiddenRows: runs(hidden, String),
    chunks: finder.used ? chunks.finish(finder.used) : [],
  })
}

function scanClass(cell: CellScan, styles: Styles): number {
  // Its future value is unknown; its format is not.
  if (cell.formulaStart >= 0 && !cell.isComputed)
    return styles.isDate(cell.style) ? C_DATE : C_NUMBER
  if (cell.type === T_NUMBER || (cell.type === T_DATE && isSpan(cell)))
    return styles.isDate(cell.style) ? C_DATE : C_NUMBER
  if (cell.type === T_BOOLEAN) return C_BOOLEAN
  if (cell.type === T_ERROR) return C_ERROR
  return cell.type === T_DATE ? C_DATE : C_TEXT
}

/** `PT36H`: a span of time, not a day. */
function isSpan({ bytes, valueText }: CellScan): boolean {
  return bytes[valueText] === 80 || bytes[valueText] === 45
}

function classOf(cell: CellNow, styles: Styles): number {
  const { type } = cell.content
  if (type === 'text') return C_TEXT
  if (type === 'boolean') return C_BOOLEAN
  if (type === 'error') return C_ERROR
  const isDate = type === 'number' && cell.content.isDate
  return isDate || styles.isDate(cell.style) ? C_DATE : C_NUMBER
}

function unreadable(sheet: Sheet, index: number): SheetMap {
  return {
    text: `${index + 1}. ${JSON.stringify(sheet.name)}: not readable`,
    fields: { name: sheet.name, index, isReadable: false },
  }
}

function firstFailure(book: Book) {
  for (const sheet of book.sheets) {
    const xml = sheet.xml()
    if (!xml.ok) return xml.failure
  }
  throw new Error('A map without a readable sheet has a failure')
}

function count(value: number, noun: string): string {
  const digits = String(value).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${digits} ${value === 1 ? noun : `${noun}s`}`
}
