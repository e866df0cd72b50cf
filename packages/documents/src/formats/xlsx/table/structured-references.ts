import type { Box } from '@filewright/protocol'
import { parseBox } from '../cell/address.ts'
import { foldedName } from '../cell/same-name.ts'
import { decodeEscapes } from '../cell/strings.ts'
import type { SheetTable } from '../parts/sheet-parts.ts'

/**
 * The cells that the brackets after a table's name mean, for a formula in that row; the whole table if they cannot be
 * read.
 */
export function structuredBox(table: SheetTable, part: string, row: number): Box | undefined {
  const box = parseBox(table.ref)
  return box && (exactBox(table, part, row) ?? box)
}

/**
 * `Amount`, `[#This Row],[Amount]`, `@Amount`, `[a]:[b]`. Undefined if they cannot be read or name something the table
 * lacks.
 */
export function exactBox(
  table: SheetTable,
  part: string,
  row: number,
): (Box & { readonly isOwnRow: boolean }) | undefined {
  const box = parseBox(table.ref)
  if (!box) return undefined
  const columns: number[] = []
  const rows: number[] = []
  const data = { top: box.top + table.headerRows, bottom: box.bottom - (table.hasTotals ? 1 : 0) }
  const isInData = row >= data.top && row <= data.bottom
  let isOwnRow = false
  for (const item of itemsOf(part)) {
    const special = item.startsWith('#') ? item.toLowerCase() : item.startsWith('@') ? '@' : ''
    if ((special === '#this row' || special === '@') && isInData) {
      rows.push(row, row)
      isOwnRow = true
    } else if (special === '#all') rows.push(box.top, box.bottom)
    else if (special === '#headers' && table.headerRows > 0) rows.push(box.top, box.top)
    else if (special === '#totals' && table.hasTotals) rows.push(box.bottom, box.bottom)
    else if (special === '#data') rows.push(data.top, data.bottom)
    else if (special !== '') return undefined
    const name = special === '@' ? item.slice(1) : special === '' ? item : ''
    if (name === '') continue
    const index = table.columns.findIndex(own => isSameColumn(own, name))
    if (index < 0) return undefined
    columns.push(box.left + index)
  }
  if (rows.length === 0) rows.push(data.top, data.bottom)
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: columns.length > 0 ? Math.min(...columns) : box.left,
    right: columns.length > 0 ? Math.max(...columns) : box.right,
    isOwnRow,
  }
}

/** The names of the columns in the brackets; `'#` is a character of the name, `#` alone marks a part of the table. */
export function columnsIn(part: string): string[] {
  const names = rawItems(part).map(item => item.replace(/^@/, '').trim())
  return names.filter(name => name !== '' && !name.startsWith('#')).map(unescaped)
}

/** The text in inner brackets, or the whole when there are none; an apostrophe escapes the next character. */
function itemsOf(part: string): string[] {
  return rawItems(part).map(item =>
    /^[#@]/.test(item) ? item[0] + unescaped(item.slice(1)) : unescaped(item),
  )
}

function rawItems(part: string): string[] {
  const text = part.trim()
  const items = [...text.matchAll(/@|\[((?:[^[\]']|'.)*)\]/gs)].map(match => match[1] ?? match[0])
  const isSingle = !/(^|[^'])\[/.test(text)
  return isSingle ? [text] : items
}

function unescaped(item: string): string {
  return item.replace(/'(.)/gs, '$1').trim()
}

/** Collapses white space: a header may contain line breaks. */
export function isSameColumn(column: string, name: string): boolean {
  return foldedName(decodeEscapes(column)) === foldedName(decodeEscapes(name))
}
