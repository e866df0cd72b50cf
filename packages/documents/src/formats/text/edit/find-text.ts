import { asBuffer } from '../decode/codec.ts'
import type { Eol } from '../decode/lines.ts'
import type { TextDocument } from '../decode/text.ts'
import { findLines } from '../patch/find-lines.ts'
import { comparePositions, type Position } from '../write/splice.ts'
import { findBytes } from './find-bytes.ts'

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
  let next = doc.bomLength
  for (const at of findBytes(doc.bytes, needle, doc.bomLength)) {
    if (at < next) continue
    const line = doc.lineAt(at)
    const start = doc.startOf(line)
    const isPlace =
      at + needle.length <= doc.textEndOf(line) &&
      (at - start) % doc.codec.unit === 0 &&
      (doc.codec.selfSynchronising || doc.isCharacterBorder(at))
    if (!isPlace) continue
    if (!overlapping) next = at + needle.length
    yield {
      from: { line, column: at - start },
      to: { line, column: at - start + needle.length },
      lineEnds: NONE,
    }
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
    const from = { line: n, column: doc.textEndOf(n) - doc.startOf(n) - lines[0]!.length }
    if (!overlapping && comparePositions(from, end) < 0) continue
    end = { line: n + span, column: lines[span]!.length }
    const lineEnds = Array.from({ length: span }, (_, i) => doc.terminator(n + i)!)
    yield { from, to: end, lineEnds }
  }
}

/** The lines after which these occur as whole lines, followed by one more line. */
function* findBetween(
  doc: TextDocument,
  whole: readonly Uint8Array[],
  last: number,
): Generator<number> {
  if (whole.length === 0) for (let n = 1; n < last; n++) yield n
  else for (const n of findLines(doc, whole, { from: 2, to: last - 1 })) yield n - 1
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
