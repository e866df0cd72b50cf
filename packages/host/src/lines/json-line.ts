import { randomBytes } from 'node:crypto'

/** A string this long is written by itself, and its JSON kept: making the JSON is most of the cost of a line. */
const LONG = 2 * 1024
/** The reader of the pipe works on one piece while the next is made. */
const PIECE = 64 * 1024
const DEPTH = 4 // an answer's own fields, and those of the file in it
const MOST_HELD = 8 * 1024 * 1024 // characters

export type JsonLine = (value: unknown) => Iterable<string | Buffer>

/**
 * Makes lines with the JSON of values, in pieces. The same text is often sent again soon, above all a file that is read
 * twice, so the JSON of a long text is kept as the bytes that go out.
 */
export function createJsonLine(): JsonLine {
  const mark = randomBytes(16).toString('hex') // a placeholder for the long string that occurs nowhere else
  const held = new Map<string, readonly Buffer[]>()
  let heldCharacters = 0

  function hold(text: string, pieces: readonly Buffer[]): void {
    if (text.length > MOST_HELD / 8) return
    if (heldCharacters > MOST_HELD) {
      held.clear()
      heldCharacters = 0
    }
    held.set(text, pieces)
    heldCharacters += text.length
  }

  function* escaped(text: string): Generator<Buffer> {
    const pieces: Buffer[] = []
    for (let start = 0; start < text.length; ) {
      let end = Math.min(start + PIECE, text.length)
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end-- // not between two halves
      const piece = Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1))
      pieces.push(piece)
      yield piece
      start = end
    }
    hold(text, pieces)
  }

  function* pieces(before: string, text: string, after: string): Generator<string | Buffer> {
    yield before
    yield* escaped(text)
    yield after
  }

  return value => {
    const cut = cutLong(value, mark, DEPTH)
    if (!cut) return [`${JSON.stringify(value)}\n`]
    const json = JSON.stringify(cut.rest)
    const at = json.indexOf(mark)
    const [before, after] = [json.slice(0, at), `${json.slice(at + mark.length)}\n`]
    const known = held.get(cut.text)
    return known ? [before, ...known, after] : pieces(before, cut.text, after)
  }
}

interface Cut {
  readonly text: string
  /** The value with the mark in its place. */
  readonly rest: unknown
}

/** The first long string in a value, and the value without it. */
function cutLong(value: unknown, mark: string, depth: number): Cut | undefined {
  if (typeof value === 'string')
    return value.length >= LONG ? { text: value, rest: mark } : undefined
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return undefined
  for (const key in value) {
    const cut = cutLong((value as Record<string, unknown>)[key], mark, depth - 1)
    if (cut) return { text: cut.text, rest: { ...value, [key]: cut.rest } }
  }
  return undefined
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
