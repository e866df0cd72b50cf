import { asBuffer } from '../decode/codec.ts'
import type { Eol } from '../decode/lines.ts'
import type { TextDocument } from '../decode/text.ts'
import { comparePositions, type Position } from '../write/splice.ts'

/** Where some text occurs. */
export interface FoundText {
  readonly from: Position
  readonly to: Position
  /** The line ends it spans, in order. */
  readonly lineEnds: readonly Eol[]
}

/**
 * The exact occurrences of `search`. A line end in it matches both LF and CRLF, because a model sends `\n` for any
 * file. `overlapping` also counts occurrences that share characters.
 */
export function* findText(
  doc: TextDocument,
  search: string,
  { overlapping }: { overlapping: boolean },
): Generator<FoundText> {
  const lines: Uint8Array[] = []
  for (const line of search.split(/\r?\n/)) {
    const bytes = doc.codec.encode(line)
    if (!bytes) return // the encoding lacks such a character, so the file does too
    lines.push(bytes)
  }
  if (lines.length === 1) yield* findInLines(doc, lines[0]!, overlapping)
  else yield* findAcrossLines(doc, lines, overlapping)
}

const NONE: readonly Eol[] = []

function* findInLines(
  doc: TextDocument,
  needle: Uint8Array,
  overlapping: boolean,
): Generator<FoundText> {
  if (needle.length === 0) return
  const buffer = asBuffer(doc.bytes)
  const wanted = asBuffer(needle)
  let at = buffer.indexOf(wanted, doc.bomLength)
  while (at !== -1) {
    const line = doc.lineAt(at)
    const start = doc.startOf(line)
    const isPlace =
      at + needle.length <= doc.textEndOf(line) &&
      (at - start) % doc.codec.unit === 0 &&
      (doc.codec.selfSynchronising || doc.isCharacterBorder(at))
    if (isPlace)
      yield {
        from: { line, column: at - start },
        to: { line, column: at - start + needle.length },
        lineEnds: NONE,
      }
    at = buffer.indexOf(wanted, isPlace && !overlapping ? at + needle.length : at + 1)
  }
}

function* findAcrossLines(
  doc: TextDocument,
  lines: readonly Uint8Array[],
  overlapping: boolean,
): Generator<FoundText> {
  const span = lines.length - 1
  const last = doc.finalNewline ? doc.lineCount + 1 : doc.lineCount // after the final newline an empty rest begins
  let end: Position = { line: 1, column: 0 }
  for (const n of findBetween(doc, lines.slice(1, -1), last)) {
    if (!beginsAndEndsAt(doc, lines, n)) continue
    const place = {
      from: { line: n, column: doc.textEndOf(n) - doc.startOf(n) - lines[0]!.length },
      to: { line: n + span, column: lines[span]!.length },
      lineEnds: Array.from({ length: span }, (_, i) => doc.terminator(n + i)!),
    }
    if (!overlapping && comparePositions(place.from, end) < 0) continue
    end = place.to
    yield place
  }
}

/**
 * The lines after which these occur as whole lines, followed by one more line. Text may repeat one line many times, so
 * the search never goes back (Knuth, Morris and Pratt).
 */
function* findBetween(
  doc: TextDocument,
  whole: readonly Uint8Array[],
  last: number,
): Generator<number> {
  const borders = bordersOf(whole)
  let matched = 0
  for (let n = 1; n < last; n++) {
    if (whole.length > 0 && n > 1) {
      const line = asBuffer(doc.lineBytes(n))
      while (matched > 0 && !line.equals(whole[matched]!)) matched = borders[matched - 1]!
      if (line.equals(whole[matched]!)) matched++
    }
    if (matched < whole.length) continue
    yield n - matched
    matched = borders[matched - 1] ?? 0
  }
}

/** For each prefix, how many of its first lines recur at its end. */
function bordersOf(lines: readonly Uint8Array[]): number[] {
  const borders = lines.length > 0 ? [0] : []
  let length = 0
  for (let i = 1; i < lines.length; i++) {
    const line = asBuffer(lines[i]!)
    while (length > 0 && !line.equals(lines[length]!)) length = borders[length - 1]!
    if (line.equals(lines[length]!)) length++
    borders.push(length)
  }
  return borders
}

/** The first piece ends line `n`; the last begins the line after those between. */
function beginsAndEndsAt(doc: TextDocument, lines: readonly Uint8Array[], n: number): boolean {
  const span = lines.length - 1
  const head = doc.lineBytes(n)
  const tail = n + span > doc.lineCount ? new Uint8Array() : doc.lineBytes(n + span)
  const first = lines[0]!
  const last = lines[span]!
  if (head.length < first.length || tail.length < last.length) return false
  if (
    !asBuffer(head)
      .subarray(head.length - first.length)
      .equals(first)
  )
    return false
  if (!asBuffer(tail).subarray(0, last.length).equals(last)) return false
  return doc.codec.selfSynchronising || doc.isCharacterBorder(doc.textEndOf(n) - first.length)
}
