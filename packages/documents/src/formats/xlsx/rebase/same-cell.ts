import type { Book } from '../book/book.ts'
import type { CellData } from '../cell/cells.ts'
import { wordOf } from './sheet-content.ts'

/**
 * Whether two cells hold the same: constants by type and value, formulas by their text. A formula's stored result plays
 * no part.
 */
export function isSameCell(
  old: CellData,
  now: CellData,
  mapped: (formula: string) => string | undefined,
): boolean {
  if (!old.formula || !now.formula)
    return !old.formula && !now.formula && wordOf(old.content) === wordOf(now.content)
  const isArray = old.formula.kind === 'array'
  return isArray === (now.formula.kind === 'array') && mapped(old.formula.text) === now.formula.text
}

/** Formats resolved: their indexes differ between two files. */
export function isSameFormat(
  old: { readonly book: Book; readonly cell: CellData },
  now: { readonly book: Book; readonly cell: CellData },
): boolean {
  const describe = ({ book, cell }: typeof old) => book.part.styles().describe(cell.style)
  return describe(old) === describe(now)
}
