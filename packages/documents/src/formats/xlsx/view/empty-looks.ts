import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import { defaultStyles } from '../book/default-style.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey } from '../cell/address.ts'
import { type CellData, EMPTY_CONTENT } from '../cell/cells.ts'

const MOST = 20_000 // cells without content whose looks are told
const SMALL = 5_000 // cells of a range in which the looks of lines are told cell by cell

/** The cells of a box that have a look, with or without content; those that are not in the file look like their lines. */
export function cellsWithLooks(book: Book, sheet: Sheet, box: Box): CellData[] {
  const cells: CellData[] = []
  const known = new Set<number>()
  let blanks = 0
  book.values.scan(sheet, box, cell => {
    known.add(cellKey(cell.row, cell.column))
    const isBlank = cell.content.type === 'empty' && !cell.formula
    if (!isBlank || (cell.style > 0 && blanks++ < MOST)) cells.push(cell)
  })
  if ((box.bottom - box.top + 1) * (box.right - box.left + 1) > SMALL) return cells
  const styleOf = defaultStyles(sheet)
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) {
      const style = known.has(cellKey(row, column)) ? 0 : styleOf(row, column)
      if (style > 0) cells.push({ row, column, style, content: EMPTY_CONTENT })
    }
  return cells.sort((a, b) => a.row - b.row || a.column - b.column)
}
