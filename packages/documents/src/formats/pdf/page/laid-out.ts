import { median } from './geometry.ts'
import type { Segment } from './segments.ts'
import type { Word } from './words.ts'

const MOST_COLUMNS = 400 // characters of a line

/** The page on a grid of characters: what stands below each other in the file does so here. */
export function layOut(lines: readonly (readonly Segment[])[]): string[] {
  const words = lines.flat().flatMap(segment => segment.words)
  if (words.length === 0) return []
  const widths = words.map(({ text, box }) => (box.right - box.left) / Math.max(1, text.length))
  const cell = Math.max(median(widths), 1)
  const start = Math.min(...words.map(({ box }) => box.left))
  const rows: string[] = []
  let bottom: number | undefined
  for (const line of lines) {
    const top = Math.min(...line.map(({ box }) => box.top))
    const height = Math.max(...line.map(({ box }) => box.bottom)) - top
    if (bottom !== undefined && top - bottom > 0.8 * height) rows.push('')
    rows.push(
      placeWords(
        line.flatMap(segment => segment.words),
        start,
        cell,
      ),
    )
    bottom = top + height
  }
  return rows
}

function placeWords(words: readonly Word[], start: number, cell: number): string {
  let row = ''
  for (const { text, box } of words) {
    const column = Math.min(MOST_COLUMNS, Math.round((box.left - start) / cell))
    row = row.padEnd(column) // what is wider than its place moves the rest
    row += row === '' || row.endsWith(' ') ? text : ` ${text}`
  }
  return row
}
