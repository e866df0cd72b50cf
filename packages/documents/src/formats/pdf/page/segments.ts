import { around, heightOf, type PageBox } from './geometry.ts'
import type { Word } from './words.ts'

/** Words that follow each other on one line without a gap between columns. */
export interface Segment {
  readonly words: readonly Word[]
  readonly box: PageBox
  readonly text: string
}

const GAP = 1.4 // times the height of the letters: wider than between words, narrower than between columns

/** The segments of a page, line by line from the top, each line from the left. */
export function segmentsOf(words: readonly Word[]): Segment[][] {
  return toLines(words).map(line => splitLine(line))
}

/** Words at the same height, from the left. */
function toLines(words: readonly Word[]): Word[][] {
  const sorted = [...words].sort((a, b) => middle(a) - middle(b))
  const lines: Word[][] = []
  for (const word of sorted) {
    const line = lines.slice(-LINES_COMPARED).findLast(own => isBeside(own, word))
    if (line) line.push(word)
    else lines.push([word])
  }
  for (const line of lines) line.sort((a, b) => a.box.left - b.box.left)
  return lines
}

const LINES_COMPARED = 4 // lines of two columns may interleave

function isBeside(line: readonly Word[], word: Word): boolean {
  const own = line[0]!
  const overlap = Math.min(own.box.bottom, word.box.bottom) - Math.max(own.box.top, word.box.top)
  return overlap > 0.6 * Math.min(heightOf(own.box), heightOf(word.box))
}

function middle({ box }: Word): number {
  return (box.top + box.bottom) / 2
}

function splitLine(line: readonly Word[]): Segment[] {
  const segments: Word[][] = []
  for (const word of line) {
    const last = segments.at(-1)?.at(-1)
    const gap = last ? word.box.left - last.box.right : Number.POSITIVE_INFINITY
    if (last && gap < GAP * Math.max(last.size, word.size)) segments.at(-1)!.push(word)
    else segments.push([word])
  }
  return segments.map(toSegment)
}

export function toSegment(words: readonly Word[]): Segment {
  return { words, box: around(words.map(({ box }) => box)), text: joinWords(words) }
}

/** Without a space where the file has none: words of Chinese or Japanese text touch. */
export function joinWords(words: readonly Word[]): string {
  let text = ''
  for (const [index, word] of words.entries()) {
    const last = words[index - 1]
    const gap = last ? word.box.left - last.box.right : 0
    const isApart = last !== undefined && (gap > 0.12 * word.size || !isIdeographic(last, word))
    text += (isApart ? ' ' : '') + word.text
  }
  return text
}

const IDEOGRAPH = /[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]/

function isIdeographic(last: Word, word: Word): boolean {
  return IDEOGRAPH.test(last.text.at(-1)!) && IDEOGRAPH.test(word.text[0]!)
}
