import type { LineAlignment } from './align-lines.ts'
import { GrowingLine, type Lines, type SheetContent } from './sheet-content.ts'

const SAMPLE = 5_000 // rows compared

/** The columns of both sheets as lines, by the rows that are in both. */
export function columnsOf(
  old: SheetContent,
  now: SheetContent,
  rows: LineAlignment,
): readonly [Lines, Lines] {
  const [before, after] = [new Map<number, GrowingLine>(), new Map<number, GrowingLine>()]
  let compared = 0
  for (const [row, content] of old.rows) {
    if (compared++ === SAMPLE) break
    const to = rows.to(row)
    const there = to === undefined ? undefined : now.rows.get(to)
    for (const [column, word] of content.constants)
      lineIn(before, column).constants.set(there ? row : -row, word)
    for (const [column, text] of content.formulas)
      lineIn(before, column).formulas.set(there ? row : -row, text)
    if (!there) continue
    for (const [column, word] of there.constants) lineIn(after, column).constants.set(row, word)
    for (const [column, text] of there.formulas) lineIn(after, column).formulas.set(row, text)
  }
  return [toLines(before), toLines(after)]
}

function lineIn(lines: Map<number, GrowingLine>, column: number): GrowingLine {
  let line = lines.get(column)
  if (!line) {
    line = new GrowingLine()
    lines.set(column, line)
  }
  return line
}

function toLines(lines: ReadonlyMap<number, GrowingLine>): Lines {
  return { lines, last: Math.max(0, ...lines.keys()) }
}
