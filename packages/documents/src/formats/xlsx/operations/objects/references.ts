import type { Box, Fields } from '@filewright/protocol'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { columnName, parseBox, quoteSheet, splitSheet } from '../../cell/address.ts'
import { exactBox } from '../../table/structured-references.ts'
import { allTables, wrong } from './object-fields.ts'

/** Cells of one sheet. */
export interface SheetRange {
  readonly sheet: Sheet
  readonly box: Box
}

/** `Sales!$B$2:$B$9`, which stays the same wherever it is read. */
export function fixedReference({ sheet, box }: SheetRange): string {
  const corner = (row: number, column: number) => `$${columnName(column)}$${row}`
  const [first, last] = [corner(box.top, box.left), corner(box.bottom, box.right)]
  return `${quoteSheet(sheet.name)}!${first === last ? first : `${first}:${last}`}`
}

/**
 * `Sales!B2:B9`, `B2:B9` on the given sheet, `Sales[Net]`, `Sales` or a name that means cells. Undefined: it is none of
 * these.
 */
export function findRange(
  book: Book,
  text: string,
  own: Sheet | undefined,
): SheetRange | undefined {
  const plain = text.trim().replace(/^=/, '')
  const split = splitSheet(plain)
  const box = parseBox(split.address)
  const sheet = split.sheet === undefined ? own : book.sheet(split.sheet)
  if (box && sheet) return { sheet, box }
  return tableRange(book, plain) ?? namedRange(book, plain, own)
}

function tableRange(book: Book, text: string): SheetRange | undefined {
  const [, name = '', part = ''] = /^([^[\]]+?)\s*(?:\[(.*)\])?$/s.exec(text) ?? []
  const found = allTables(book).find(
    ({ table }) => table.name.toLowerCase() === name.trim().toLowerCase(),
  )
  const box = found && exactBox(found.table, part, 0)
  return box && { sheet: found.sheet, box }
}

function namedRange(book: Book, text: string, own: Sheet | undefined): SheetRange | undefined {
  const folded = text.toLowerCase()
  const position = own && book.sheets.indexOf(own)
  const names = book.definedNames.filter(({ name }) => name.toLowerCase() === folded)
  const name =
    names.find(({ localSheet }) => localSheet !== undefined && localSheet === position) ??
    names.find(({ localSheet }) => localSheet === undefined)
  const split = name && splitSheet(name.text.replace(/^=/, ''))
  const box = split && parseBox(split.address)
  const sheet = split?.sheet === undefined ? undefined : book.sheet(split.sheet)
  return box && sheet && { sheet, box }
}

export function rangeField(
  book: Book,
  fields: Fields,
  name: string,
  text: string,
  own: Sheet | undefined,
): SheetRange {
  const found = findRange(book, text, own)
  if (found) return found
  const sheets = book.sheets.map(sheet => sheet.name).slice(0, 20)
  throw wrong(
    fields,
    `${name} ${JSON.stringify(text)} is no range such as "Sales!A1:C10", no table and no name of cells; the sheets are ${sheets.join(', ')}`,
  )
}
