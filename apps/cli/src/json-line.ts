import { randomBytes } from 'node:crypto'

/** A string this long is worth sending while the rest of it is still being written out. */
const LONG = 128 * 1024
const PIECE = 64 * 1024
const DEPTH = 4 // an answer's own fields, and those of the file in it

/**
 * A line with the JSON of a value, in pieces where it holds a long string: who reads them works on the first while the next is made,
 * and no second string of that length is needed.
 */
export function* jsonLine(value: unknown): Generator<string> {
  const long = findLong(value, DEPTH)
  if (long === undefined) {
    yield `${JSON.stringify(value)}\n`
    return
  }
  const mark = randomBytes(16).toString('hex') // stands for the string, and nowhere else
  const around = JSON.stringify(value, (_, field) => (field === long ? mark : field)).split(mark)
  for (const [i, part] of around.entries()) {
    if (i > 0) yield* escaped(long)
    yield part
  }
  yield '\n'
}

function findLong(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.length >= LONG ? value : undefined
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return undefined
  for (const key in value) {
    const found = findLong((value as Record<string, unknown>)[key], depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

function* escaped(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE, text.length)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end-- // not between two halves
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
