import type { Box, Fields } from '@filewright/protocol'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, parseBox } from '../../cell/address.ts'
import type { CellData } from '../../cell/cells.ts'
import { type SheetTable, tablesOf } from '../../parts/sheet-parts.ts'
import type { Editor } from '../editor.ts'
import { valuesIn } from '../values.ts'

/** How many rows of a range are its header: what is sent; none within a table or where its first row is data. */
export function headerRows(editor: Editor, sheet: Sheet, box: Box, { header, op }: Fields): number {
  if (header === false || header === 0) return 0
  if (header !== undefined) return typeof header === 'number' ? header : 1
  const tables = tablesOf(editor.book.part, sheet).flatMap(table => dataOf(table) ?? [])
  if (tables.some(data => box.top >= data.top && box.top <= data.bottom && isBeside(data, box)))
    return 0
  // a replay without some earlier changes takes the same rows
  const why = editor.resolve<string | null>('data', () => whyData(editor, sheet, box) ?? null)
  if (why === null) return 1
  editor.warnings.push(
    `${op} took row ${box.top} of ${boxName(box)} for data, because ${why}; if it is the header, do it again with header: true.`,
  )
  return 0
}

/** The rows of a table without its header and totals. */
export function dataOf({ ref, headerRows: above, hasTotals }: SheetTable): Box | undefined {
  const box = parseBox(ref)
  return box && { ...box, top: box.top + above, bottom: box.bottom - (hasTotals ? 1 : 0) }
}

function isBeside(data: Box, box: Box): boolean {
  return box.left <= data.right && box.right >= data.left
}

/** Why the first row is data; undefined: it may be the header. */
function whyData({ book }: Editor, sheet: Sheet, box: Box): string | undefined {
  const filled = (row: number) =>
    [...valuesIn(book, sheet, { ...box, top: row, bottom: row }).values()].filter(isFilled)
  const isText = ({ content }: CellData) => content.type === 'text'
  const first = filled(box.top)
  if (first.length === 0) return undefined
  const above = box.top > 1 ? filled(box.top - 1) : []
  if (above.length === box.right - box.left + 1 && above.every(isText))
    return `row ${box.top - 1} above it has the headers`
  if (first.every(isText)) return undefined
  // years and dates beside texts, such as Region, 2025, 2026, head columns of numbers
  const styles = book.part.styles()
  const isPeriod = ({ content, formula, style }: CellData) =>
    !formula &&
    content.type === 'number' &&
    (styles.isDate(style) ||
      (Number.isInteger(content.value) && /^(19|20)\d\d$/.test(String(content.value))))
  const isHeading = first.some(isText) && first.every(own => isText(own) || isPeriod(own))
  const next = filled(box.top + 1)
  const isOther = next.some(own => !isText(own) && !isPeriod(own))
  return isHeading && isOther ? undefined : 'not all of its cells are texts'
}

function isFilled({ content, formula }: CellData): boolean {
  return content.type !== 'empty' || formula !== undefined
}
