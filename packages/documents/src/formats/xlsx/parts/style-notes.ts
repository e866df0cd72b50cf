import type { Book } from '../book/book.ts'
import { boxName } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'

/** `A1:F1 bold, fill FFFF00`: cells of one style, adjacent ones joined into boxes. */
export function describeStyles(book: Book, cells: readonly CellData[]): string {
  const styles = book.part.styles()
  const byStyle = new Map<number, CellData[]>()
  for (const cell of cells) {
    const group = byStyle.get(cell.style)
    if (group) group.push(cell)
    else byStyle.set(cell.style, [cell])
  }
  const lines: string[] = []
  for (const [style, group] of byStyle) {
    const words = styles.describe(style)
    if (words !== '') lines.push(`${boxesOf(group).slice(0, 12).join(' ')}: ${words}`)
  }
  return lines.length > 0 ? lines.slice(0, 60).join('\n') : 'none'
}

/** Runs within a row first, then equal runs in consecutive rows. */
function boxesOf(cells: readonly CellData[]): string[] {
  const boxes: { top: number; bottom: number; left: number; right: number }[] = []
  for (const { row, column } of cells) {
    const last = boxes.at(-1)
    if (last && last.top === row && last.bottom === row && last.right === column - 1)
      last.right = column
    else boxes.push({ top: row, bottom: row, left: column, right: column })
  }
  const joined: typeof boxes = []
  for (const box of boxes) {
    const above = joined.find(
      own => own.bottom === box.top - 1 && own.left === box.left && own.right === box.right,
    )
    if (above) above.bottom = box.bottom
    else joined.push(box)
  }
  return joined.map(boxName)
}
