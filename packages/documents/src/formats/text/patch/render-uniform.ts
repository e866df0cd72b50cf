import type { Content, Slice } from '@filewright/protocol'
import type { TextDocument } from '../decode/text.ts'
import { type LinePatch, type RangeChange, sortedIndices } from './line-changes.ts'

/**
 * The content after changes to the usual file: all its lines end alike, the last one too, and the patch keeps that.
 * Each new line then ends like the others, and a change replaces one run of bytes by another: a fraction of the work of
 * a weave, which handles all other cases and gives the same bytes for these. Returns undefined for any other case.
 */
export function renderUniform(doc: TextDocument, patch: LinePatch): Content | undefined {
  const { changes, finalNewline, eol, bom } = patch
  if (finalNewline !== undefined || eol !== undefined || bom !== undefined) return undefined
  const newline = newlineOf(doc)
  if (newline === undefined) return undefined
  const writer = new Writer(doc, newline)
  for (const index of sortedIndices(changes)) {
    const change = changes[index]!
    const first = change.operation === 'insert' ? change.afterLine + 1 : change.startLine
    if (doc.startOf(first) < writer.at) return undefined // they overlap
    if (change.operation === 'insert') writer.insertAt(first, change.newLines)
    else writer.writeRange(change)
  }
  return writer.close()
}

const NEWLINES = { lf: '\n', crlf: '\r\n', mixed: undefined, none: undefined }

function newlineOf(doc: TextDocument): string | undefined {
  return doc.finalNewline && doc.codec.selfSynchronising ? NEWLINES[doc.eol] : undefined
}

class Writer {
  /** The base is written or skipped up to here. */
  at = 0
  readonly #doc: TextDocument
  readonly #newline: string
  readonly #slices: Slice[] = []

  constructor(doc: TextDocument, newline: string) {
    this.#doc = doc
    this.#newline = newline
  }

  insertAt(line: number, newLines: readonly string[]) {
    const start = this.#doc.startOf(line)
    this.#put(start, start, newLines.join(this.#newline) + this.#newline)
  }

  /** A replaced line that stays the same is not part of the change. */
  writeRange(change: RangeChange) {
    const doc = this.#doc
    const newLines = change.operation === 'replace' ? change.newLines : []
    const behind = change.endLine + 1
    const paired = Math.min(newLines.length, behind - change.startLine)
    for (let i = 0; i < paired; i++) {
      const n = change.startLine + i
      if (newLines[i] !== doc.line(n)) this.#put(doc.startOf(n), doc.textEndOf(n), newLines[i]!)
    }
    const further = change.startLine + paired
    if (further < behind) this.#put(doc.startOf(further), doc.startOf(behind), '')
    if (paired < newLines.length) this.insertAt(behind, newLines.slice(paired))
  }

  close(): Content {
    this.#copyTo(this.#doc.sizeBytes)
    return this.#slices
  }

  #put(from: number, to: number, text: string) {
    this.#copyTo(from)
    this.at = to
    if (text === '') return
    const bytes = this.#doc.codec.encode(text)
    if (!bytes)
      throw new Error(`${this.#doc.encoding} cannot represent text that was checked before`)
    this.#slices.push({ from: 'inline', bytes })
  }

  #copyTo(end: number) {
    if (end > this.at) this.#slices.push({ from: 'base', start: this.at, end })
    this.at = end
  }
}
