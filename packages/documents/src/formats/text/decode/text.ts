import { isAscii } from 'node:buffer'
import { asBuffer, type Codec, codecFor } from './codec.ts'
import { findEncoding, type TextEncoding } from './encoding.ts'
import {
  type Eol,
  type EolSummary,
  indexLines,
  type LineIndex,
  summariseEol,
  unitAt,
} from './lines.ts'

/** Reads bytes as text without copying them: each line is decoded on demand. */
export function decodeText(bytes: Uint8Array): TextDocument {
  return new TextDocument(bytes, findEncoding(bytes))
}

/** For text whose encoding is known, such as a file that is being edited. */
export function decodeTextAs(bytes: Uint8Array, encoding: TextEncoding): TextDocument {
  return new TextDocument(bytes, encoding)
}

export interface TextSlice {
  /** Verbatim, with each line's own terminator. */
  readonly content: string
  readonly lineStart: number
  /** Lines of which the content has at least a part. */
  readonly lineCount: number
  /** Size of the content in bytes of the file. */
  readonly sizeBytes: number
  /** The content is shorter than requested. */
  readonly isTruncated: boolean
  /** Bytes shown of the last line when it is cut. */
  readonly cutAfterBytes?: number
}

/** Lines are numbered from 1; the BOM is not part of line 1; an empty file has no lines. */
export class TextDocument {
  readonly bytes: Uint8Array
  readonly codec: Codec
  readonly bomLength: number
  readonly #index: LineIndex
  #content?: string
  #plain?: boolean

  constructor(bytes: Uint8Array, encoding: TextEncoding) {
    this.bytes = bytes
    this.codec = codecFor(encoding.label)
    this.bomLength = encoding.bomLength
    this.#index = indexLines(bytes, encoding.bomLength, this.codec)
  }

  get encoding(): string {
    return this.codec.label
  }
  get bom(): boolean {
    return this.bomLength > 0
  }
  get lineCount(): number {
    return this.#index.count
  }
  get eol(): EolSummary {
    return summariseEol(this.#index)
  }
  get finalNewline(): boolean {
    return this.#index.finalNewline
  }
  get sizeBytes(): number {
    return this.bytes.length
  }
  get longestLineBytes(): number {
    return this.#index.longest
  }

  /** The text of line `n` without its terminator. */
  line(n: number): string {
    if (this.#isPlain)
      return asBuffer(this.bytes).toString('latin1', this.startOf(n), this.textEndOf(n))
    return this.codec.decode(this.lineBytes(n))
  }

  lines(first: number, last: number): string[] {
    const lines: string[] = []
    for (let n = first; n <= last; n++) lines.push(this.line(n))
    return lines
  }

  /** The text is pure ASCII: a line is taken without inspecting its bytes or creating a view of them. */
  get #isPlain(): boolean {
    this.#plain ??= this.encoding === 'utf-8' && isAscii(this.bytes)
    return this.#plain
  }

  lineBytes(n: number): Uint8Array {
    return this.bytes.subarray(this.startOf(n), this.textEndOf(n))
  }

  /** Null for the last line of a file without a final newline. */
  terminator(n: number): Eol | null {
    const length = this.endOf(n) - this.textEndOf(n)
    if (length === 0) return null
    return length === this.codec.unit ? 'lf' : 'crlf'
  }

  /** Offset of the first byte; `lineCount + 1` is the end of the file. */
  startOf(n: number): number {
    return n > this.#index.count ? this.bytes.length : this.#index.starts[n - 1]!
  }

  /** Offset after the last byte of the line's text. */
  textEndOf(n: number): number {
    const end = this.endOf(n)
    if (n === this.#index.count && !this.#index.finalNewline) return end
    const { unit } = this.codec
    const beforeNewline = end - unit
    const isCrlf =
      beforeNewline > this.startOf(n) && unitAt(this.bytes, beforeNewline - unit, this.codec) === 13
    return isCrlf ? beforeNewline - unit : beforeNewline
  }

  /** Offset after the line's terminator. */
  endOf(n: number): number {
    return this.startOf(n + 1)
  }

  /** The line that contains the byte at `offset`; the last line for the end of the file. */
  lineAt(offset: number): number {
    const { starts, count } = this.#index
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Lines from `lineStart` on, at most `maxBytes` bytes of the file, cut between characters. */
  slice(lineStart = 1, lineCount = this.lineCount, maxBytes = Number.POSITIVE_INFINITY): TextSlice {
    const last = Math.min(this.lineCount, lineStart + lineCount - 1)
    if (last < lineStart)
      return { content: '', lineStart, lineCount: 0, sizeBytes: 0, isTruncated: false }
    const start = this.startOf(lineStart)
    const wanted = this.endOf(last)
    const end = wanted - start <= maxBytes ? wanted : this.characterBorder(start, start + maxBytes)
    const lastShown = end === start ? lineStart : this.lineAt(end - 1)
    const isCut = end < wanted && end < this.endOf(lastShown)
    return {
      content: this.#decode(start, end),
      lineStart,
      lineCount: end === start ? 0 : lastShown - lineStart + 1,
      sizeBytes: end - start,
      isTruncated: end < wanted,
      ...(isCut && { cutAfterBytes: end - this.startOf(lastShown) }),
    }
  }

  /** The whole text, cached after the first call. */
  #decode(start: number, end: number): string {
    if (start > this.bomLength || end < this.bytes.length)
      return this.codec.decode(this.bytes.subarray(start, end))
    this.#content ??= this.codec.decode(this.bytes.subarray(start, end))
    return this.#content
  }

  /** The last character boundary at or before `end`, never between CR and LF; not before `start`. */
  characterBorder(start: number, end: number): number {
    const line = this.lineAt(end)
    const lineStart = Math.max(start, this.startOf(line))
    const textEnd = this.textEndOf(line)
    if (end >= textEnd) return end >= this.endOf(line) ? end : Math.max(start, textEnd)
    for (let border = end; border > lineStart; border--)
      if (this.#isBorder(lineStart, border)) return border
    return lineStart
  }

  /** Whether `offset` is a character boundary within the line. */
  isCharacterBorder(offset: number): boolean {
    const line = this.lineAt(offset)
    return offset >= this.textEndOf(line) || this.#isBorder(this.startOf(line), offset)
  }

  #isBorder(lineStart: number, offset: number): boolean {
    if (offset === lineStart) return true
    if (this.encoding === 'utf-8') return (this.bytes[offset]! & 0xc0) !== 0x80
    if (this.codec.unit === 2) {
      if ((offset - lineStart) % 2 === 1) return false
      const unit = unitAt(this.bytes, offset, this.codec)
      return unit < 0xdc00 || unit > 0xdfff
    }
    if (this.codec.selfSynchronising) return true
    const prefix = this.bytes.subarray(lineStart, offset)
    return asBuffer(this.codec.encode(this.codec.decode(prefix)) ?? new Uint8Array()).equals(prefix)
  }
}
