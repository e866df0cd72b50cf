import type { Box } from '@filewright/protocol'
import {
  child,
  children,
  encodeAttribute,
  fromUtf8,
  parseXml,
  Splices,
  toUtf8,
} from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import type { Book, FormulaPlace } from '../book/book.ts'
import { rewriteFormulas } from '../book/rewrites.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { showCell } from '../book/show.ts'
import { cellKey, cellName, contains, parseBox } from '../cell/address.ts'
import { type CellData, EMPTY_CONTENT } from '../cell/cells.ts'
import { encodeAllEscapes } from '../cell/strings.ts'
import { type SheetTable, tablesOf } from '../parts/sheet-parts.ts'
import { renameColumnIn } from './table-rewrites.ts'
import { spliceTotal } from './table-totals.ts'

/** The table with its headers after the edits. */
export function withHeaders(book: Book, sheet: Sheet, table: SheetTable): SheetTable {
  const box = parseBox(table.ref)
  if (sheet.cells.size === 0 || !box || table.headerRows === 0) return table
  const columns = table.columns.map((name, index) => {
    const edit = sheet.cells.get(cellKey(box.top, box.left + index))
    return edit ? encodeAllEscapes(headerText(book, edit)) : name
  })
  return { ...table, columns }
}

/** The header rows of the sheet's tables. */
export function headerRows(book: Book, sheet: Sheet): readonly Box[] {
  const tables = tablesOf(book.part, sheet)
  if (tables.length === 0) return NO_BOXES
  return tables.flatMap(({ ref, headerRows: count }) => {
    const box = parseBox(ref)
    return box && count > 0 ? [{ ...box, bottom: box.top }] : []
  })
}

/** Most sheets have no table, and an operation may write a million cells. */
const NO_BOXES: readonly Box[] = []

/** A header is text even if it reads 2026: with another type Excel removes the table from the file. */
export function asHeader(book: Book, sheet: Sheet, at: CellData, edit: CellEdit): CellEdit {
  const { content, formula, style } = edit
  if (content === null || content.type === 'text' || formula) return edit
  const isHeader = headerRows(book, sheet).some(box => contains(box, at.row, at.column))
  if (!isHeader) return edit
  return { content: { type: 'text', value: headerText(book, edit) }, style }
}

/**
 * A table's header cells are the names of its columns, in the table's part and in formulas: they change together.
 * Returns the header rows that contain the cell.
 */
export function followHeader(
  book: Book,
  sheet: Sheet,
  before: CellData,
  edit: CellEdit,
  onUndo: (step: () => void) => void,
): readonly Box[] {
  const tables = tablesOf(book.part, sheet)
  if (tables.length === 0) return NO_BOXES
  const headers: Box[] = []
  for (const table of tables) {
    const box = parseBox(table.ref)
    if (!box || table.headerRows === 0 || before.row !== box.top) continue
    if (before.column < box.left || before.column > box.right) continue
    headers.push({ ...box, bottom: box.top })
    const place = cellName(before.row, before.column)
    const from = showCell(book, before).text || table.columns[before.column - box.left] || ''
    const to = headerText(book, edit)
    if (to === '' || edit.formula)
      throw new Refusal(
        'CONFLICT',
        `${place} is a column header of the table ${table.name}, so it needs text; leave the header row out of the range, or write other text`,
      )
    for (let column = box.left; column <= box.right; column++) {
      const other = sheet.cells.get(cellKey(box.top, column))
      const name = other ? headerText(book, other) : (table.columns[column - box.left] ?? '')
      if (column !== before.column && name.toLowerCase() === to.toLowerCase())
        throw new Refusal(
          'CONFLICT',
          `${place}: the table ${table.name} already has a column ${JSON.stringify(to)}; table headers must differ`,
        )
    }
    if (to === from) continue
    const rename = (formula: string) => renameColumnIn(formula, table.name, from, to)
    rewriteFormulas(book, onUndo, { mentions: table.name.toLowerCase(), rewrite: rename })
    // Old programs, and some new ones, omit the table's name inside the table.
    const part = book.part.package.spellingOf(table.part)
    const isInside = (at: FormulaPlace) =>
      'part' in at ? at.part === part : at.sheet === sheet.id && contains(box, at.row, at.column)
    rewriteFormulas(book, onUndo, {
      mentions: '[',
      rewrite: (formula, at) =>
        at && isInside(at) ? renameColumnIn(formula, undefined, from, to) : formula,
    })
    const definedNames = book.definedNames.map(own => ({ ...own, text: rename(own.text) }))
    onUndo(book.change({ definedNames }))
  }
  return headers
}

function headerText(book: Book, edit: CellEdit): string {
  return showCell(book, { style: edit.style, content: edit.content ?? EMPTY_CONTENT }).text
}

/** Writes changed headers and totals into the tables' parts. */
export function tableContent(
  book: Book,
  sheet: Sheet,
  edits: Map<string, Uint8Array | null>,
): void {
  if (sheet.cells.size === 0) return
  for (const own of tablesOf(book.part, sheet)) {
    const box = parseBox(own.ref)
    const name = book.part.package.spellingOf(own.part)
    const table = withHeaders(book, sheet, own)
    if (!box) continue
    const bytes = edits.get(name) ?? partBytes(book, name)
    const decoded = bytes && toUtf8(bytes)
    const document = decoded && parseXml(decoded.utf8)
    if (!decoded || !document || typeof document === 'string') continue
    const splices = new Splices()
    for (const [index, element] of children(
      child(document.root, 'tableColumns'),
      'tableColumn',
    ).entries()) {
      const column = table.columns[index] ?? ''
      const header = element.attributes.find(attribute => attribute.name === 'name')
      if (header && column !== own.columns[index])
        splices.replace(
          header.valueStart,
          header.valueEnd,
          encodeAttribute(column).replaceAll("'", '&apos;'),
        )
      const total = own.hasTotals && sheet.cells.get(cellKey(box.bottom, box.left + index))
      if (total) spliceTotal(splices, element, total, { name: own.name, column })
    }
    if (splices.size > 0) edits.set(name, fromUtf8(splices.apply(decoded.utf8), decoded.encoding))
  }
}

function partBytes(book: Book, name: string): Uint8Array | undefined {
  const part = book.part.package.part(name)
  return part.ok ? part.value : undefined
}
