import { around, heightOf, type PageBox } from '../page/geometry.ts'
import { type Segment, toSegment } from '../page/segments.ts'
import type { Word } from '../page/words.ts'
import type { PageTable } from './page-table.ts'

const FEWEST_ROWS = 3
const FEWEST_COLUMNS = 3
const FAR = 3.2 // times the height of a line: rows further apart are of two tables
const NUMERIC = /^[-+(]?[\p{Sc}]?\s?[\d.,' ]*\d[\d.,' ]*\s?[%\p{Sc}]?\)?$/u

type Line = readonly Segment[]

/** Lines one below the other whose cells stand in the same columns, some of them numbers. */
export function alignedTables(lines: readonly Line[]): PageTable[] {
  const tables: PageTable[] = []
  let run: Line[] = []
  const end = () => {
    const table = run.length >= FEWEST_ROWS ? toTable(run) : undefined
    if (table) tables.push(table)
    run = []
  }
  for (const line of lines.map(apart)) {
    const last = run.at(-1)
    if (last && (!isBelow(last, line) || line.length < 2)) end()
    if (line.length >= 2) run.push(line)
  }
  end()
  return tables
}

const NUMBERS_APART = 0.55 // times the height of the letters: twice a space, half of what divides words

/** A sheet printed without lines has its numbers closer than words of two columns are. */
function apart(line: Line): Line {
  return line.flatMap(segment => {
    const parts: Word[][] = []
    for (const word of segment.words) {
      const last = parts.at(-1)?.at(-1)
      const isApart =
        last !== undefined &&
        NUMERIC.test(last.text) &&
        NUMERIC.test(word.text) &&
        word.box.left - last.box.right > NUMBERS_APART * Math.max(last.size, word.size)
      if (last && !isApart) parts.at(-1)!.push(word)
      else parts.push([word])
    }
    return parts.length > 1 ? parts.map(toSegment) : [segment]
  })
}

function isBelow(last: Line, line: Line): boolean {
  const above = around(last.map(({ box }) => box))
  const below = around(line.map(({ box }) => box))
  return below.top - above.top < FAR * Math.max(heightOf(above), heightOf(below))
}

function toTable(lines: readonly Line[]): PageTable | undefined {
  const columns = columnsOf(lines)
  if (columns.length < FEWEST_COLUMNS) return undefined
  const rows = lines.map(line => toRow(line, columns))
  if (rows.some(row => row === undefined)) return undefined
  const cells = rows as string[][]
  const numbers = cells.flat().filter(cell => NUMERIC.test(cell)).length
  const filled = cells.flat().filter(cell => cell !== '').length
  if (numbers < cells.length || numbers * 5 < filled) return undefined
  const words = lines.flat().flatMap(segment => [...segment.words])
  return {
    box: around(words.map(({ box }) => box)),
    rows: cells,
    columns: columns.map(({ left }) => left),
    ends: columns.map(({ right }) => right),
    words: new Set<Word>(words),
  }
}

type Band = Pick<PageBox, 'left' | 'right'>

/** By the lines that have a cell in every column: a head may stand at the left of its column and numbers at the right. */
function columnsOf(lines: readonly Line[]): Band[] {
  const widths = lines.map(line => line.length)
  const most = Math.max(
    0,
    ...widths.filter(width => widths.filter(own => own === width).length > 1),
  )
  const full = lines.filter(line => line.length === most)
  const bands = Array.from({ length: most }, (_, column): Band => {
    const { left, right } = around(full.map(line => line[column]!.box))
    return { left, right }
  })
  return bands.every((band, index) => index === 0 || band.left >= bands[index - 1]!.right)
    ? bands
    : []
}

/** Undefined where two cells of a line fall into one column. */
function toRow(line: Line, columns: readonly Band[]) {
  const row = columns.map(() => '')
  for (const { box, text } of line) {
    const distances = columns.map(({ left, right }) => Math.max(left - box.right, box.left - right))
    const least = Math.min(...distances)
    const column = distances.indexOf(least)
    if (row[column] !== '') return undefined
    row[column] = text
  }
  return row
}
