import { ok, type Result } from '@filewright/protocol'
import { bufferOf, encodeText, fromUtf8, Splices, toUtf8 } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import { cellXml } from '../book/cell-xml.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { rowAttributes, spliceRowTag } from '../book/splice-rows.ts'
import { cellKey, cellName, columnOfKey, refName, rowOfKey, WHOLE_SHEET } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { decodeTag, type SharedMaster } from '../cell/formula-tags.ts'
import { SheetXml } from '../cell/sheet-xml.ts'
import { rewritePart } from '../parts/rewrite-part.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { renameSheetIn, shiftFormula } from '../places/rewrites.ts'
import { withHeaders } from '../table/table-columns.ts'
import { withoutTables } from '../table/without-tables.ts'
import {
  freshen,
  type Homeless,
  isWritten,
  type RowEdit,
  type RowWork,
  rememberMaster,
  restyle,
  type SpliceOptions,
} from './splice-cell.ts'
import { spliceLayout } from './splice-layout.ts'
import { isTangled, spliceTangledRow } from './splice-tangled.ts'

/** The sheet with its edits; every byte outside them is kept. */
export function spliceSheet(sheet: Sheet, options: SpliceOptions): Result<Uint8Array> {
  const opened = sheet.xml()
  if (!opened.ok) return opened
  const xml = opened.value
  const splices = new Splices()
  const rows = new Map<number, RowWork>()
  const workOf = (row: number) => {
    let work = rows.get(row)
    if (!work) {
      work = { edits: [], looks: new Map(), stale: false }
      rows.set(row, work)
    }
    return work
  }
  for (const key of sheet.editedKeys) {
    const column = columnOfKey(key)
    const edit = rewritten(sheet.cells.get(key)!, { row: rowOfKey(key), column }, options)
    workOf(rowOfKey(key)).edits.push({ column, edit })
  }
  for (const { row, column, style } of sheet.looksIn(WHOLE_SHEET))
    workOf(row).looks.set(column, style)
  for (const key of options.stale) workOf(rowOfKey(key)).stale = true
  for (const row of sheet.rows.keys()) workOf(row)
  if (options.rewrite || options.dropAllValues)
    for (let index = 0; index < xml.rows.count; index++)
      workOf(xml.rows.numbers[index]!).stale = true
  const homeless: Homeless = new Map()
  const inserted: string[] = []
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    const index = xml.findRow(row)
    const work = rows.get(row)!
    if (index < xml.rows.count && xml.rows.numbers[index] === row) {
      const splice = isTangled(xml, index) ? spliceTangledRow : spliceRow
      splice(splices, sheet, xml, index, work, options, homeless)
    } else insertRow(splices, sheet, xml, index, row, work, inserted)
  }
  if (inserted.length > 0) openData(splices, xml, inserted)
  rehome(splices, sheet, xml, homeless, options)
  spliceLayout(splices, sheet, xml)
  return ok(fromUtf8(splices.apply(xml.bytes), sheet.encoding))
}

function rewritten(
  edit: CellEdit,
  at: { readonly row: number; readonly column: number },
  { rewriteEdit, results }: SpliceOptions,
): CellEdit {
  const { formula } = edit
  if (!formula) return edit
  const content = results?.valueAt(cellKey(at.row, at.column)) ?? edit.content
  const text = rewriteEdit ? rewriteEdit(formula.text, at) : formula.text
  return { ...edit, content, formula: { ...formula, text } }
}

function spliceRow(
  splices: Splices,
  sheet: Sheet,
  xml: SheetXml,
  index: number,
  work: RowWork,
  options: SpliceOptions,
  homeless: Homeless,
): void {
  const { prefix } = xml
  const row = xml.rows.numbers[index]!
  const edits = withNewCells(xml, index, work)
  const tag = spliceRowTag(splices, sheet, xml, index, edits, options.grown)
  let next = 0
  let lastEnd = tag.end
  const pending: string[] = []
  const add = (own: RowEdit) => {
    if (isWritten(own)) pending.push(cellXml(prefix, cellName(row, own.column), own.edit))
  }
  const emit = (at: number) => {
    if (pending.length > 0) splices.insert(at, pending.splice(0).join(''))
  }
  const cell = new CellScan()
  let previous: { removeStart: number; removeEnd: number; xml: string } | undefined
  const settle = (follower: CellScan | undefined) => {
    if (!previous) return
    // A cell without an address counts from the one before it, so that one stays, empty.
    const isNeeded = follower !== undefined && !follower.hasReference
    splices.replace(previous.removeStart, previous.removeEnd, isNeeded ? previous.xml : '')
    previous = undefined
  }
  xml.scanRow(index, cell, own => {
    settle(own)
    for (; next < edits.length && edits[next]!.column < own.column; next++) add(edits[next]!)
    emit(own.start)
    lastEnd = own.end
    const found = edits[next]
    if (found && found.column === own.column) {
      next++
      if (own.formulaStart >= 0) rememberMaster(own, homeless)
      replaceCell(splices, prefix, own, found.edit, removal => {
        previous = removal
      })
    } else {
      const look = work.looks.get(own.column)
      if (look !== undefined) restyle(splices, own, look)
      if (work.stale) freshen(splices, own, options)
    }
  })
  settle(undefined)
  for (; next < edits.length; next++) add(edits[next]!)
  if (pending.length === 0) return
  if (tag.isEmpty)
    splices.replace(tag.end - 2, tag.end, `>${pending.splice(0).join('')}</${prefix}row>`)
  else emit(lastEnd)
}

/** The edits of a row, and cells that it lacks and that only have a style. */
function withNewCells(xml: SheetXml, index: number, { edits, looks }: RowWork): readonly RowEdit[] {
  if (looks.size === 0) return edits
  const left = new Map(looks)
  xml.scanRow(index, new CellScan(), ({ column }) => left.delete(column))
  return inOrder(edits, left)
}

function inOrder(
  edits: readonly RowEdit[],
  looks: ReadonlyMap<number, number>,
): readonly RowEdit[] {
  const blanks = Array.from(looks, ([column, style]) => ({
    column,
    edit: { content: null, style },
    isLook: true as const,
  }))
  return [...edits, ...blanks].sort((a, b) => a.column - b.column)
}

function replaceCell(
  splices: Splices,
  prefix: string,
  own: CellScan,
  edit: CellEdit,
  remove: (removal: { removeStart: number; removeEnd: number; xml: string }) => void,
): void {
  const text = cellXml(prefix, cellName(own.row, own.column), edit)
  const isGone = !edit.content && !edit.formula && edit.style === 0
  if (isGone && own.hasReference) remove({ removeStart: own.start, removeEnd: own.end, xml: text })
  else splices.replace(own.start, own.end, text)
}

function insertRow(
  splices: Splices,
  sheet: Sheet,
  xml: SheetXml,
  index: number,
  row: number,
  work: RowWork,
  inserted: string[],
): void {
  const { prefix } = xml
  const cells = inOrder(work.edits, work.looks)
    .filter(isWritten)
    .map(({ column, edit }) => cellXml(prefix, cellName(row, column), edit))
  const line = sheet.rows.get(row)
  if (cells.length === 0 && !line) return
  const text = `<${prefix}row r="${row}"${line ? rowAttributes(line) : ''}>${cells.join('')}</${prefix}row>`
  if (xml.data.start === xml.data.end) inserted.push(text)
  else splices.insert(index < xml.rows.count ? xml.rows.starts[index]! : xml.data.end, text)
}

/** The first rows of a sheet that had none. */
function openData(splices: Splices, xml: SheetXml, rows: readonly string[]): void {
  const { data, prefix, bytes } = xml
  const isEmptyTag = data.tagStart < data.start && bytes[data.start - 2] === 47
  if (!isEmptyTag) splices.insert(data.start, rows.join(''))
  else splices.replace(data.start - 2, data.start, `>${rows.join('')}</${prefix}sheetData>`)
}

/** A shared formula whose first cell was overwritten moves to the next cell that uses it. */
function rehome(
  splices: Splices,
  sheet: Sheet,
  xml: SheetXml,
  homeless: Homeless,
  options: SpliceOptions,
): void {
  if (homeless.size === 0) return
  const usersOf = findUsers(sheet, xml)
  for (const [key, shared] of homeless) {
    const master = sheet.masterOf(xml, shared, { row: rowOfKey(key), column: columnOfKey(key) })
    const users = master && usersOf.get(master)
    if (!users) continue
    const [first] = users
    if (!first) continue
    const box = { top: first.row, left: first.column, bottom: first.row, right: first.column }
    for (const { row, column } of users) {
      box.top = Math.min(box.top, row)
      box.bottom = Math.max(box.bottom, row)
      box.left = Math.min(box.left, column)
      box.right = Math.max(box.right, column)
    }
    const moved = shiftFormula(master.text, first.row - master.row, first.column - master.column)
    const text = options.rewrite ? options.rewrite(moved, first) : moved
    splices.replace(
      first.formulaStart,
      first.formulaEnd,
      `<${xml.prefix}f t="shared" ref="${refName(box)}" si="${shared}">${encodeText(text)}</${xml.prefix}f>`,
    )
  }
}

interface SharedUser {
  readonly row: number
  readonly column: number
  readonly formulaStart: number
  readonly formulaEnd: number
}

/** The cells that use another cell's shared formula, wherever they are: not every writer keeps its range right. */
function findUsers(sheet: Sheet, xml: SheetXml): Map<SharedMaster, SharedUser[]> {
  const found = new Map<SharedMaster, SharedUser[]>()
  scanFormulas(xml, own => {
    if (own.formulaTextEnd > own.formulaText) return
    const tag = decodeTag(own)
    if (tag?.t !== 'shared' || sheet.cells.has(cellKey(own.row, own.column))) return
    const master = tag.si === undefined ? undefined : sheet.masterOf(xml, tag.si, own)
    if (!master) return
    const { row, column, formulaStart, formulaEnd } = own
    const users = found.get(master)
    if (users) users.push({ row, column, formulaStart, formulaEnd })
    else found.set(master, [{ row, column, formulaStart, formulaEnd }])
  })
  return found
}

/** Elements that need other parts, which a copy lacks. */
const NEEDS_PARTS = [
  ['drawing', 'charts and pictures'],
  ['legacyDrawing', 'comments and controls'],
  ['legacyDrawingHF', 'pictures in headers'],
  ['picture', 'the background picture'],
  ['oleObjects', 'embedded objects'],
  ['controls', 'controls'],
  ['webPublishItems', 'web publishing'],
  ['tableParts', 'tables (their cells are copied, and formulas of the copy name these)'],
  ['hyperlinks', 'hyperlinks'],
  ['queryTableParts', 'queries'],
  ['customProperties', 'custom properties'],
] as const

/** The current sheet as bytes for a new sheet; its own name in formulas becomes the new one. */
export function copySheetBytes(
  book: Book,
  sheet: Sheet,
  name: string,
): Result<{ bytes: Uint8Array; left: string[] }> {
  const toCopy = copyFormula(book, sheet, name)
  const rewrite = (formula: string, at?: { readonly row: number; readonly column: number }) => {
    const place = at && { sheet: sheet.id, row: at.row, column: at.column }
    return toCopy(book.rewriteFormula(formula, sheet, place), { at })
  }
  const rewriteEdit = (formula: string, at: { readonly row: number; readonly column: number }) =>
    toCopy(formula, { at })
  const bytes = spliceSheet(sheet, { stale: new Set(), dropAllValues: true, rewrite, rewriteEdit })
  if (!bytes.ok) return bytes
  return ok(withoutParts(rewriteTail(bytes.value, rewrite)))
}

/** A formula of the sheet as it reads in a copy of that name: it refers to the copy's own cells. */
export function copyFormula(book: Book, sheet: Sheet, name: string) {
  const isSheet = (other: string) => book.sheet(other) !== undefined
  const tables = tablesOf(book.part, sheet).map(table => withHeaders(book, sheet, table))
  return (formula: string, options: Parameters<typeof withoutTables>[2] = {}) =>
    renameSheetIn(withoutTables(formula, tables, options), sheet.name, name, isSheet)
}

/** The formulas after the cells: conditional formats, validations, sparklines, links. */
export function rewriteTail(bytes: Uint8Array, rewrite: (formula: string) => string): Uint8Array {
  const decoded = toUtf8(bytes)
  const xml = decoded && SheetXml.open(decoded.utf8, true)
  if (!decoded || !(xml instanceof SheetXml)) return bytes
  const part = [xml.data.tagEnd, xml.root.closeStart] as const
  const after = rewritePart(xml.bytes, rewrite, { part })
  return after ? fromUtf8(after, decoded.encoding) : bytes
}

function withoutParts(bytes: Uint8Array): { bytes: Uint8Array; left: string[] } {
  const { utf8, encoding } = toUtf8(bytes)!
  const xml = SheetXml.open(utf8, true)
  const { bytes: own, data } =
    xml instanceof SheetXml ? xml : { bytes: utf8, data: { tagStart: 0, tagEnd: 0 } }
  const { tagStart, tagEnd } = data
  const left: string[] = []
  // The cells, of which there may be many, name no other part.
  const [head, tail] = [
    bufferOf(own).toString('utf8', 0, tagStart),
    bufferOf(own).toString('utf8', tagEnd),
  ]
  const ids = linkAttribute(head + tail)
  const copy = Buffer.concat([
    Buffer.from(withoutLinks(head, ids, left)),
    own.subarray(tagStart, tagEnd),
    Buffer.from(withoutLinks(tail, ids, left)),
  ])
  return { bytes: fromUtf8(copy, encoding), left }
}

function withoutLinks(text: string, ids: RegExp | undefined, left: string[]): string {
  let copy = text
  for (const [local, words] of NEEDS_PARTS) {
    const pattern = new RegExp(`<((?:\\w+:)?${local})(?:\\s[^>]*)?(?:/>|>[\\s\\S]*?</\\1\\s*>)`)
    const without = copy.replace(pattern, '')
    if (without !== copy) left.push(words)
    copy = without
  }
  copy = copy.replace(/<((?:\w+:)?ext)\s[^>]*>[\s\S]*?<\/\1\s*>/g, (own, name: string) => {
    if (!ids?.test(own) || own.split(`<${name}`).length > 2) return own
    if (!left.includes(EXTENSIONS)) left.push(EXTENSIONS)
    return ''
  })
  // A page set-up may refer to printer settings, and only one sheet may be selected.
  return copy
    .replace(/(<(?:\w+:)?pageSetup\b[^>]*?)\s\w+:id\s*=\s*("[^"]*"|'[^']*')/g, '$1')
    .replace(/(<(?:\w+:)?sheetView\b[^>]*?)\stabSelected\s*=\s*("[^"]*"|'[^']*')/g, '$1')
    .replace(/(<(?:\w+:)?sheetPr\b[^>]*?)\scodeName\s*=\s*("[^"]*"|'[^']*')/, '$1')
}

const EXTENSIONS = 'slicers and timelines'

/** An attribute that names a relationship, in the sheet's own prefix. */
function linkAttribute(text: string): RegExp | undefined {
  const declared = /xmlns:([\w.-]+)\s*=\s*["'][^"']*\/officeDocument\/(?:2006\/)?relationships["']/g
  const prefixes = [...text.matchAll(declared)].map(([, prefix]) => prefix)
  return prefixes.length > 0 ? new RegExp(`\\s(?:${prefixes.join('|')}):\\w+\\s*=`) : undefined
}
