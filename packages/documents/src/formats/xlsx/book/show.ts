import { readsAsValue } from '@filewright/protocol'
import { type CellData, type CellNow, dateOfSerial } from '../cell/cells.ts'
import { plainNumber, showNumber } from '../cell/styles.ts'
import { shiftFormula } from '../places/rewrites.ts'
import type { Book } from './book.ts'

/** A cell as a person sees it; `raw` where the value itself has more information. */
export interface ShownCell {
  readonly text: string
  readonly raw?: string
  readonly type: 'number' | 'date' | 'text' | 'boolean' | 'error' | 'empty'
}

export function showCell(book: Book, cell: Pick<CellData, 'content' | 'style'>): ShownCell {
  const { content, style } = cell
  if (content.type === 'text') return { text: content.value, type: 'text' }
  if (content.type === 'boolean') return { text: content.value ? 'TRUE' : 'FALSE', type: 'boolean' }
  if (content.type === 'error') return { text: content.value, type: 'error' }
  if (content.type === 'empty') return { text: '', type: 'empty' }
  const styles = book.part.styles()
  const { is1904 } = book.part
  const date =
    content.isDate && !styles.isDate(style) ? dateOfSerial(content.value, is1904) : undefined
  if (date !== undefined) return { text: date, type: 'date' }
  const pattern = styles.pattern(style)
  const text = showNumber(content.value, pattern, is1904).trim()
  // All digits, unless in exponent form.
  if (pattern === 'General' && !text.includes('e')) return { text, type: 'number' }
  if (styles.isDate(style)) {
    const isTime = is1904 && content.value < 1 && styles.isTime(style)
    const raw = dateOfSerial(content.value, is1904 && !isTime)
    // Outside the calendar it is a number, whatever its format.
    if (raw !== undefined) return { text, type: 'date', ...(raw !== text && { raw }) }
  }
  const raw = plainNumber(content.value)
  return { text, type: 'number', ...(!saysAll(text, content.value) && { raw }) }
}

/**
 * Whether the shown text gives the whole value despite the signs around its digits: `$2,500.00`, `62%`. With words, as
 * in `2 kg`, it could be text.
 */
function saysAll(text: string, value: number): boolean {
  if (!readsAsValue(text)) return false
  const digits = text.replace(/[^\d.%()-]/g, '')
  const negated = /^\((.*)\)$/.exec(digits)
  const number = Number((negated?.[1] ?? digits).replace('%', '') || Number.NaN)
  const scaled = digits.includes('%') ? number / 100 : number
  return (negated ? -scaled : scaled) === value || plainNumber(scaled) === plainNumber(value)
}

/**
 * One cell for the model: `3.50 {3.4999}`, `24 {=B2*2}`, `0.3 {0.3333} {=1/3}`, `"007"`; `{↑}` where the formula is the
 * one above, moved down.
 */
export function renderCell(book: Book, cell: CellNow, above?: CellData): string {
  const shown = showCell(book, cell)
  const text = shown.type === 'text' ? renderText(shown.text) : shown.text
  if (cell.formula) {
    const formula = repeats(cell, above) ? '↑' : `=${cell.formula.text.replace(/\r?\n/g, ' ')}`
    const marked = cell.formula.kind === 'array' ? `{${formula}}` : formula
    if (cell.isStale) return `? {${marked}}`
    return shown.raw === undefined || shown.type === 'date'
      ? `${text} {${marked}}`
      : `${text} {${shown.raw}} {${marked}}`
  }
  if (cell.isStale) return '?'
  return shown.raw === undefined ? text : `${text} {${shown.raw}}`
}

export const WORTH_REPLACING = 8 // characters; a shorter formula is shown in full

function repeats(cell: CellData, above: CellData | undefined): boolean {
  const { formula } = cell
  if (!formula || formula.kind === 'array' || formula.text.length < WORTH_REPLACING) return false
  if (!above?.formula || above.row !== cell.row - 1) return false
  return shiftFormula(above.formula.text, 1, 0) === formula.text
}

/** Quoted where it could be mistaken for a number, a formula, or the frame of the table. */
export function renderText(text: string): string {
  return AMBIGUOUS.test(text) || readsAsValue(text) ? JSON.stringify(text) : text
}

const AMBIGUOUS = /^$|^[\s"'=?]|\s$|[|\n\r\t]|\s\{|^[.,]+$|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/

/** The value in JSON: numbers as numbers, with dates as ISO text next to them. */
export function cellFields(book: Book, cell: CellNow, address: string): Record<string, unknown> {
  const shown = showCell(book, cell)
  return {
    cell: address,
    value: cell.content.value,
    ...(shown.type !== 'text' &&
      shown.text !== String(cell.content.value ?? '') && { text: shown.text }),
    ...(shown.type === 'date' && { date: shown.raw ?? shown.text }),
    ...(cell.formula && { formula: `=${cell.formula.text}` }),
    ...(cell.formula?.ref !== undefined &&
      cell.formula.kind !== 'shared' && { arrayRange: cell.formula.ref }),
    ...(cell.isStale && { isStale: true }),
  }
}
