import {
  attribute,
  child,
  encodeAttribute,
  encodeText,
  prefixOf,
  type Splices,
  type XmlElement,
} from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { setAttribute } from '../book/splice-rows.ts'
import { parseBox } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import { encodeAllEscapes } from '../cell/strings.ts'
import { type SheetTable, tablesOf } from '../parts/sheet-parts.ts'
import { columnsIn, isSameColumn } from './structured-references.ts'

/** Functions of a table's totals row that have their own name, by their SUBTOTAL number. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  101: 'average',
  102: 'countNums',
  103: 'count',
  104: 'max',
  105: 'min',
  107: 'stdDev',
  109: 'sum',
  110: 'var',
}

/** A cell of a totals row is a label or a formula; a number is written as the formula that gives it. */
export function asTotal(book: Book, sheet: Sheet, at: CellData, edit: CellEdit): CellEdit {
  const { content, formula, style } = edit
  if (content === null || formula || content.type === 'empty') return edit
  if (content.type === 'text' && content.value !== '') return edit
  if (!tablesOf(book.part, sheet).some(table => isTotal(table, at))) return edit
  if (content.type === 'text') return { content: null, style }
  const text = content.type === 'boolean' ? String(content.value).toUpperCase() : content.value
  return { content: null, style, formula: { text: String(text), kind: 'normal' } }
}

function isTotal(table: SheetTable, { row, column }: CellData): boolean {
  const box = table.hasTotals ? parseBox(table.ref) : undefined
  return box !== undefined && row === box.bottom && column >= box.left && column <= box.right
}

/** The entry in a table's part for a cell of its totals row: Excel repairs a file where the two disagree. */
export function spliceTotal(
  splices: Splices,
  element: XmlElement,
  edit: CellEdit,
  table: { readonly name: string; readonly column: string },
): void {
  const { content, formula } = edit
  const known = formula?.kind === 'normal' ? functionOf(formula.text, table) : undefined
  const label = content?.type === 'text' && !formula ? content.value : undefined
  setAttribute(splices, element, 0, 'totalsRowFunction', formula ? (known ?? 'custom') : undefined)
  const before = attribute(element, 'totalsRowLabel')
  const encoded = label === undefined ? undefined : encodeAllEscapes(label)
  if (before !== encoded)
    setAttribute(
      splices,
      element,
      0,
      'totalsRowLabel',
      encoded === undefined ? undefined : encodeAttribute(encoded).replaceAll("'", '&apos;'),
    )
  spliceFormula(splices, element, known ? undefined : formula)
}

function functionOf(
  formula: string,
  { name, column }: { readonly name: string; readonly column: string },
): string | undefined {
  const match = /^\s*SUBTOTAL\(\s*(\d+)\s*,\s*([^[(]*)\[(.*)\]\s*\)\s*$/is.exec(formula)
  if (!match || match[2]!.trim().toLowerCase() !== name.toLowerCase()) return undefined
  const columns = columnsIn(match[3]!)
  const isOwn =
    !match[3]!.includes('#') && columns.length === 1 && isSameColumn(column, columns[0]!)
  return isOwn ? FUNCTIONS[match[1]!] : undefined
}

function spliceFormula(
  splices: Splices,
  element: XmlElement,
  formula: CellEdit['formula'] | undefined,
): void {
  const own = child(element, 'totalsRowFormula')
  if (!formula) {
    if (own) splices.remove(own.start, own.end)
    return
  }
  const prefix = prefixOf(element)
  const array = formula.kind === 'array' ? ' array="1"' : ''
  const text = `<${prefix}totalsRowFormula${array}>${encodeText(formula.text)}</${prefix}totalsRowFormula>`
  const before = child(element, 'calculatedColumnFormula')
  if (own) splices.replace(own.start, own.end, text)
  else if (before) splices.insert(before.end, text)
  else if (!element.isEmptyTag) splices.insert(element.openEnd, text)
  else splices.replace(element.end - 2, element.end, `>${text}</${element.name}>`)
}
