import { around, heightOf, median, type PageBox } from './geometry.ts'
import type { Segment } from './segments.ts'

/** One line of text as it is read. */
export interface TextLine {
  readonly text: string
  readonly box: PageBox
  /** It begins a block: a blank line stands before it. */
  readonly isFirst: boolean
}

type Line = readonly Segment[]

/** Lines from top to bottom; where text stands in columns, one column after the other. */
export function inReadingOrder(lines: readonly Line[]): TextLine[] {
  return bands(lines, DEPTH).flatMap(toBlock)
}

const DEPTH = 3 // columns in columns in columns

/** The page in parts that are read one after the other. */
function bands(lines: readonly Line[], depth: number): Line[][] {
  const gutter = depth > 0 ? findGutter(lines) : undefined
  if (gutter === undefined) return lines.length > 0 ? [[...lines]] : []
  const parts: Line[][] = []
  let left: Line[] = []
  let right: Line[] = []
  const endColumns = () => {
    parts.push(...bands(left, depth - 1), ...bands(right, depth - 1))
    left = []
    right = []
  }
  for (const line of lines) {
    if (line.some(({ box }) => box.left < gutter && box.right > gutter)) {
      endColumns()
      const last = parts.at(-1)
      if (last && isAcross(last, gutter)) last.push(line)
      else parts.push([line])
      continue
    }
    const before = line.filter(({ box }) => box.right <= gutter)
    const after = line.filter(({ box }) => box.left >= gutter)
    if (before.length > 0) left.push(before)
    if (after.length > 0) right.push(after)
  }
  endColumns()
  return parts
}

function isAcross(part: readonly Line[], gutter: number): boolean {
  return part.every(line => line.some(({ box }) => box.left < gutter && box.right > gutter))
}

const STEPS = 60 // places across the page that are tried
const MOST_ACROSS = 0.35 // of the lines: headings, pictures' captions
const FEWEST_LINES = 4 // on either side
const FEWEST_CHARACTERS = 16 // of a line of text on average; the cells of a table are shorter
const FILLED = 0.5 // of the width of its column

/** Where few lines cross and text stands on either side; undefined for a page without columns. */
function findGutter(lines: readonly Line[]): number | undefined {
  const all = lines.flat()
  if (all.length < 2 * FEWEST_LINES) return undefined
  const box = around(all.map(own => own.box))
  const width = box.right - box.left
  let best: { at: number; score: number } | undefined
  for (let step = 12; step <= STEPS - 12; step++) {
    const at = box.left + (width * step) / STEPS
    const sides = sidesOf(all, at)
    const across = all.length - sides.left.length - sides.right.length
    if (across > MOST_ACROSS * lines.length) continue
    if (!isText(sides.left, at - box.left) || !isText(sides.right, box.right - at)) continue
    const room = roomAt(sides, at)
    const score = room - across * 4 - Math.abs(step - STEPS / 2) / 4
    if (!best || score > best.score) best = { at, score }
  }
  return best?.at
}

function sidesOf(all: readonly Segment[], at: number) {
  return {
    left: all.filter(({ box }) => box.right <= at),
    right: all.filter(({ box }) => box.left >= at),
  }
}

/** The white space around a place, without the widest lines. */
function roomAt({ left, right }: ReturnType<typeof sidesOf>, at: number): number {
  const before = Math.max(...left.map(({ box }) => box.right))
  const after = Math.min(...right.map(({ box }) => box.left))
  return Math.min(20, after - at) + Math.min(20, at - before)
}

function isText(side: readonly Segment[], width: number): boolean {
  if (side.length < FEWEST_LINES) return false
  const characters = side.reduce((sum, { text }) => sum + text.length, 0) / side.length
  const filled = median(side.map(({ box }) => box.right - box.left)) / width
  return characters >= FEWEST_CHARACTERS && filled >= FILLED
}

const PARAGRAPH = 1.5 // times the usual distance between lines

function toBlock(lines: readonly Line[]): TextLine[] {
  const boxes = lines.map(line => around(line.map(({ box }) => box)))
  const usual = median(boxes.slice(1).map((box, index) => box.top - boxes[index]!.top))
  return lines.map((line, index) => {
    const box = boxes[index]!
    const above = boxes[index - 1]
    const isFirst =
      !above || box.top - above.top > Math.max(PARAGRAPH * usual, 1.2 * heightOf(above))
    return { text: line.map(({ text }) => text).join('  '), box, isFirst }
  })
}
