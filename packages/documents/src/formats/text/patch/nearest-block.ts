import type { TextDocument } from '../decode/text.ts'
import { describeLines } from './line-changes.ts'
import { numbered } from './shown-lines.ts'

/** Lines searched; the result is shown and never used, so a limit is harmless. */
const MAX_COMPARED = 20_000
/** How many equal lines count as evidence for a place; more add nothing. */
const MAX_ALIKE = 20
/** How many lines more than the text the file may have. */
const MORE_LINES = 10

export interface NearBlock {
  readonly first: number
  readonly last: number
  /** The first line that differs from the text; undefined if none does. */
  readonly differsAt: number | undefined
}

/**
 * Where most of some lines occur, ignoring white space; undefined if less than a quarter of them does. `inLines`: the
 * text may begin in the middle of its first line and end in the middle of its last.
 */
export function nearestBlock(
  doc: TextDocument,
  wanted: readonly string[],
  { inLines = false } = {},
): NearBlock | undefined {
  const first = findStart(doc, wanted)
  if (first === undefined) return undefined
  const last = findEnd(doc, wanted, first)
  return { first, last, differsAt: firstDifference(doc, wanted, { first, last, inLines }) }
}

const SHOWN_BLOCK = 40
const SHOWN_BEFORE = 10 // lines of a longer block shown before the first difference

/** The lines at the likely place, so that the next attempt can copy from them. */
export function describeNear(doc: TextDocument, { first, last, differsAt }: NearBlock): string {
  const isLong = last - first >= SHOWN_BLOCK
  const from = isLong ? Math.max(first, (differsAt ?? first) - SHOWN_BEFORE) : first
  const to = Math.min(last, from + SHOWN_BLOCK - 1)
  const come = first === last ? 'comes' : 'come'
  const where =
    differsAt === undefined || first === last ? '' : ` and differ first at line ${differsAt}`
  const some = isLong ? ` Lines ${from}-${to} of them:` : ''
  return `${capitalised(describeLines(first, last))} ${come} nearest${where}.${some}\n${numbered(doc, from, to)}\nCopy the text exactly, white space included and without the numbers`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Each line found votes for where the text would begin, weighted by its length. */
function findStart(doc: TextDocument, wanted: readonly string[]): number | undefined {
  const indices = new Map<string, number[]>()
  let total = 0
  for (const [i, line] of wanted.entries()) {
    const dense = toDense(line)
    if (dense === '') continue
    total += dense.length
    const known = indices.get(dense)
    if (known && known.length < MAX_ALIKE) known.push(i)
    else if (!known) indices.set(dense, [i])
  }
  const found = new Map<number, number>()
  for (let n = 1; n <= Math.min(doc.lineCount, MAX_COMPARED); n++) {
    const dense = toDense(doc.line(n))
    for (const i of indices.get(dense) ?? [])
      found.set(n - i, (found.get(n - i) ?? 0) + dense.length)
  }
  let [best, most] = [0, 0]
  for (const [start, length] of found) if (length > most) [best, most] = [start, length]
  return most > 0 && 4 * most >= total ? Math.max(1, best) : undefined
}

/** Where the last line occurs, if nearby; some lines may have been added or removed. */
function findEnd(doc: TextDocument, wanted: readonly string[], first: number): number {
  const plain = Math.min(doc.lineCount, first + wanted.length - 1)
  const closing = toDense(wanted.findLast(line => line.trim() !== '') ?? '')
  for (let n = Math.min(doc.lineCount, plain + MORE_LINES); n > plain; n--)
    if (toDense(doc.line(n)) === closing && toDense(doc.line(plain)) !== closing) return n
  return plain
}

function firstDifference(
  doc: TextDocument,
  wanted: readonly string[],
  { first, last, inLines }: { first: number; last: number; inLines: boolean },
): number | undefined {
  for (const [i, line] of wanted.entries()) {
    const n = first + i
    if (n > last) return undefined
    const there = doc.line(n)
    const isSame =
      there === line ||
      (inLines && i === 0 && there.endsWith(line)) ||
      (inLines && i === wanted.length - 1 && there.startsWith(line))
    if (!isSame) return n
  }
  return undefined
}

function toDense(line: string): string {
  return line.replace(/\s+/g, '')
}
