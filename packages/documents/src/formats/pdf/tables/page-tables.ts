import { isWithin } from '../page/geometry.ts'
import { joinWords, type Segment, segmentsOf } from '../page/segments.ts'
import type { Word } from '../page/words.ts'
import { alignedTables } from './aligned.ts'
import { type Grid, gridsOf } from './grid.ts'
import type { PageTable } from './page-table.ts'
import type { RuledLine } from './rules.ts'

/** Tables by their ruled lines, and where there are none by their columns. */
export function tablesOn(words: readonly Word[], rules: readonly RuledLine[]): PageTable[] {
  const upright = words.filter(({ isTurned }) => !isTurned)
  const ruled = gridsOf(rules).flatMap(grid => toTable(grid, upright) ?? [])
  const outer = ruled.filter(
    table =>
      !ruled.some(
        other => other !== table && isWithin(table.box, other.box) && isLarger(other, table),
      ),
  )
  const taken = new Set(outer.flatMap(({ words: own }) => [...own]))
  const rest = segmentsOf(upright.filter(word => !taken.has(word)))
  return [...outer, ...alignedTables(rest)].sort((a, b) => a.box.top - b.box.top)
}

function isLarger({ box: a }: PageTable, { box: b }: PageTable): boolean {
  return (a.right - a.left) * (a.bottom - a.top) > (b.right - b.left) * (b.bottom - b.top)
}

function toTable({ xs, ys, box }: Grid, words: readonly Word[]): PageTable | undefined {
  const own = words.filter(word => isWithin(word.box, box))
  const cells = ys.slice(1).map(() => xs.slice(1).map((): Word[] => []))
  for (const word of own) {
    const row = placeIn(ys, (word.box.top + word.box.bottom) / 2)
    const column = placeIn(xs, (word.box.left + word.box.right) / 2)
    cells[row]![column]!.push(word)
  }
  const rows = splitRows(cells).filter(row => row.some(cell => cell.length > 0))
  const filled = rows.map(row => row.map(cellText))
  const used = xs.slice(1).map((_, column) => filled.some(row => row[column] !== ''))
  const kept = filled.map(row => row.filter((_, column) => used[column]))
  const columns = xs.slice(0, -1).filter((_, column) => used[column])
  const ends = xs.slice(1).filter((_, column) => used[column])
  if (kept.length < 2 || columns.length < 2 || isProse(kept.flat())) return undefined
  return { box, rows: kept, columns, ends, words: new Set(own) }
}

const PROSE = 120 // characters of a cell on average: boxes around paragraphs are no table

function isProse(cells: readonly string[]): boolean {
  const filled = cells.filter(cell => cell !== '')
  return filled.reduce((sum, cell) => sum + cell.length, 0) > PROSE * filled.length
}

/**
 * A row between two lines may hold several rows of text: it is divided where every filled cell has as many lines, at the
 * same heights.
 */
function splitRows(cells: readonly (readonly Word[][])[]): Word[][][] {
  return cells.flatMap(row => {
    const lines = row.map(words => segmentsOf(words))
    const filled = lines.filter(own => own.length > 0)
    const count = filled[0]?.length ?? 0
    const isEven = count > 2 && filled.length > 1 && filled.every(own => own.length === count)
    if (!isEven || !filled.every(own => own.every((line, n) => isLevel(line, filled[0]![n]!))))
      return [row.map(words => [...words])]
    return Array.from({ length: count }, (_, n) =>
      lines.map(own => own[n]?.flatMap(({ words }) => [...words]) ?? []),
    )
  })
}

function isLevel(line: readonly Segment[], other: readonly Segment[]): boolean {
  return Math.abs(line[0]!.box.top - other[0]!.box.top) < 3
}

function placeIn(lines: readonly number[], at: number): number {
  let place = 0
  while (place < lines.length - 2 && at > lines[place + 1]!) place++
  return place
}

function cellText(words: readonly Word[]): string {
  return segmentsOf(words)
    .map(line => line.map(segment => joinWords(segment.words)).join(' '))
    .join(' ')
}
