import type { Box, Fields } from '@filewright/protocol'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, parseBox } from '../../cell/address.ts'
import type { CellData } from '../../cell/cells.ts'
import { type SheetTable, tablesOf } from '../../parts/sheet-parts.ts'
import type { Editor } from '../editor.ts'
import { valuesIn } from '../values.ts'

/** How many rows of a range are its header: what is sent, none within a table, else the first row. */
export function headerRows(editor: Editor, sheet: Sheet, box: Box, { header, op }: Fields): number {
  if (header === false || header === 0) return 0
  if (header !== undefined) return typeof header === 'number' ? header : 1
  const tables = tablesOf(editor.book.part, sheet).flatMap(table => dataOf(table) ?? [])
  if (tables.some(data => box.top >= data.top && box.top <= data.bottom && isBeside(data, box)))
    return 0
  if (editor.resolve('looks like data', () => looksLikeData(editor, sheet, box)))
    editor.warnings.push(
      `${op} took row ${box.top} for the header of ${boxName(box)} and left it in place; if it is data, do it again with header: false.`,
    )
  return 1
}

/** The rows of a table without its header and totals. */
export function dataOf({ ref, headerRows: above, hasTotals }: SheetTable): Box | undefined {
  const box = parseBox(ref)
  return box && { ...box, top: box.top + above, bottom: box.bottom - (hasTotals ? 1 : 0) }
}

function isBeside(data: Box, box: Box): boolean {
  return box.left <= data.right && box.right >= data.left
}

/** Its cells are not all texts, or a row of texts is right above it. */
function looksLikeData({ book }: Editor, sheet: Sheet, box: Box): boolean {
  const filled = (row: number) =>
    [...valuesIn(book, sheet, { ...box, top: row, bottom: row }).values()].filter(isFilled)
  const isText = ({ content }: CellData) => content.type === 'text'
  const first = filled(box.top)
  if (first.some(own => !isText(own))) return true
  const above = box.top > 1 ? filled(box.top - 1) : []
  return first.length > 0 && above.length === box.right - box.left + 1 && above.every(isText)
}

function isFilled({ content, formula }: CellData): boolean {
  return content.type !== 'empty' || formula !== undefined
}
