import { type Box, counted, type Fields } from '@filewright/protocol'
import { Refusal } from '../../../../../refusal.ts'
import type { Book } from '../../../book/book.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { showCell } from '../../../book/show.ts'
import { cellKey, cellName } from '../../../cell/address.ts'
import { PlacedFormulas } from '../../../formula/placed-formulas.ts'
import type { CellInput } from '../../../formula/values.ts'
import { ownerOfName, whyNoName } from '../../../objects/object-names.ts'
import type { Editor } from '../../editor.ts'
import { styleAt } from '../../rows/settle.ts'
import { refuseUnknown, shownIn } from '../../values.ts'
import { HINTS } from '../../write-hints.ts'
import { refuseTaken, wrong } from '../object-fields.ts'

const MOST_LETTERS = 255 // of a header

/** What the totals row holds in each column: a label, a formula or nothing. */
export type TotalCell = Pick<CellInput, 'content' | 'formula' | 'array'>

export interface Header {
  readonly column: number
  readonly text: string
  /** Its cell holds something else now. */
  readonly isNew: boolean
}

/** Each with a text of its own, as Excel numbers them. */
export function headersOf(editor: Editor, sheet: Sheet, box: Box): readonly Header[] {
  const { book } = editor
  const cells = shownIn(editor, sheet, { ...box, bottom: box.top })
  const used = new Set<string>()
  const headers: Header[] = []
  for (let column = box.left; column <= box.right; column++) {
    const cell = cells.get(cellKey(box.top, column))
    refuseUnknown(editor, sheet, cell, {
      why: 'nothing tells the name of its column',
      instead: 'set the header as text',
    })
    const shown = cell ? showCell(book, cell).text : ''
    const isText = cell !== undefined && !cell.formula && cell.content.type === 'text'
    let text = shown.trim() === '' ? '' : shown.slice(0, MOST_LETTERS)
    for (let number = text === '' ? 1 : 2; text === '' || used.has(text.toLowerCase()); number++)
      text = `${shown.trim() === '' ? 'Column' : shown.slice(0, MOST_LETTERS - 4)}${number}`
    used.add(text.toLowerCase())
    headers.push({ column, text, isNew: !isText || text !== shown })
  }
  return headers
}

export function writeHeaders(
  editor: Editor,
  sheet: Sheet,
  row: number,
  headers: readonly Header[],
  place: string,
): void {
  for (const { column, text, isNew } of headers) {
    if (!isNew) continue
    const style = styleAt(editor.book, sheet, row, column)
    const content = { type: 'text', value: text } as const
    editor.writeOwnCell(sheet, cellKey(row, column), { content, style }, place)
  }
}

/** The row of totals, each in the format of the cell above it. */
export function writeTotals(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  totals: readonly TotalCell[],
  place: string,
): void {
  const formulas = new PlacedFormulas(editor.book, sheet)
  for (const [index, total] of totals.entries()) {
    if (!total.content && !total.formula) continue
    const column = box.left + index
    const above = styleAt(editor.book, sheet, box.bottom - 1, column)
    const style = total.formula ? above : styleAt(editor.book, sheet, box.bottom, column)
    const { formula, hint } = formulas.typed({ row: box.bottom, column }, total)
    if (hint) editor.warnings.push(HINTS[hint](cellName(box.bottom, column)))
    const edit = { content: total.content, style, ...(formula && { formula }) }
    editor.writeOwnCell(sheet, cellKey(box.bottom, column), edit, place)
  }
}

export function refuseName(book: Book, fields: Fields, name: string): void {
  const problem = whyNoName(name)
  if (problem !== undefined) throw wrong(fields, problem)
  const owner = ownerOfName(book, name)
  if (owner !== undefined)
    throw new Refusal('CONFLICT', `${JSON.stringify(name)} is taken by ${owner}`)
}

/** The row has no values that would be overwritten. */
export function refuseRow(book: Book, sheet: Sheet, row: number, box: Box, fields: Fields): void {
  refuseTaken(book, sheet, { ...box, top: row, bottom: row })
  const filled = filledInRow(book, sheet, row, box)
  if (filled > 0)
    throw new Refusal(
      'CONFLICT',
      `${fields.op}: row ${row} beside the table holds ${counted(filled, 'value')} such as in ${cellName(row, box.left)}; insert_rows makes room`,
    )
}

/** Cells in that row that hold something, which a new header or a row of totals would overwrite. */
function filledInRow(
  book: Book,
  sheet: Sheet,
  row: number,
  { left, right }: { readonly left: number; readonly right: number },
): number {
  const cells = book.cellsIn(sheet, { top: row, bottom: row, left, right })
  if (!cells.ok) return 0
  let filled = 0
  for (let column = left; column <= right; column++) {
    const cell = cells.value.get(cellKey(row, column))
    if (cell && (cell.formula || cell.content.type !== 'empty')) filled++
  }
  return filled
}
