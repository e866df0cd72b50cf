import type { Book } from '../book/book.ts'
import { boxName } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'

/** `bold, fill FFFF00` of `A1:F1`. */
export interface StyleNote {
  readonly ranges: readonly string[]
  readonly style: string
}

const RANGES_SHOWN = 12
const RANGES_TOLD = 200
const STYLES_TOLD = 100

/** `A1:F1: bold, fill FFFF00`, a line each. */
export function describeStyles(notes: readonly StyleNote[]): string {
  if (notes.length === 0) return 'none'
  return notes
    .map(({ ranges, style }) => {
      const more = ranges.length > RANGES_SHOWN ? ` and ${ranges.length - RANGES_SHOWN} more` : ''
      return `${ranges.slice(0, RANGES_SHOWN).join(' ')}${more}: ${style}`
    })
    .join('\n')
}

/** Cells of one style, adjacent ones joined into boxes. */
export function stylesOf(book: Book, cells: readonly CellData[]): StyleNote[] {
  const styles = book.part.styles()
  const byStyle = new Map<number, CellData[]>()
  for (const cell of cells) {
    const group = byStyle.get(cell.style)
    if (group) group.push(cell)
    else byStyle.set(cell.style, [cell])
  }
  const notes = [...byStyle].map(([style, group]) => ({
    ranges: boxesOf(group).slice(0, RANGES_TOLD),
    style: styles.describe(style),
  }))
  return notes.filter(({ style }) => style !== '').slice(0, STYLES_TOLD)
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
