import { decodeText } from '../text/index.ts'

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d

/** How the cells of a file are divided. */
export interface Separation {
  readonly delimiter: string
  /** Rows before the table: a `sep=;` line is one. */
  readonly skipped: number
}

/** The records of a file by their offsets; a record's cells are decoded when they are asked for. */
export interface Records {
  readonly count: number
  /** The most cells that any record has. */
  readonly columnCount: number
  /** A quoted cell had no end: from this row on, quotes are plain characters. */
  readonly unclosedFrom?: number
  /** The cells of row `n`, counted from 1; none for an empty line. */
  cells(n: number): string[]
  /** About how many bytes of the file the row takes. */
  sizeOf(n: number): number
}

/** The text of a file in bytes that can be scanned for a delimiter, with what turns them back into text. */
export interface ScannableText {
  readonly bytes: Uint8Array
  /** Where the byte order mark ends. */
  readonly from: number
  /** Of the file. */
  readonly encoding: string
  decode(bytes: Uint8Array): string
}

export function toScannable(bytes: Uint8Array): ScannableText {
  const text = decodeText(bytes)
  const { codec, encoding } = text
  if (codec.unit === 1 && codec.selfSynchronising)
    return { bytes, encoding, from: text.bomLength, decode: part => codec.decode(part) }
  const decoder = new TextDecoder()
  const plain = new TextEncoder().encode(codec.decode(bytes.subarray(text.bomLength)))
  return { bytes: plain, encoding, from: 0, decode: part => decoder.decode(part) }
}

/** One pass over the bytes, at most `maxRecords` of them. A quoted cell may contain delimiters, doubled quotes and line ends. */
export function scanRecords(
  text: ScannableText,
  delimiter: string,
  maxRecords = Number.POSITIVE_INFINITY,
): Records {
  const found = index(text, delimiter.charCodeAt(0), maxRecords)
  const { starts, count, unclosedFrom } = found
  const end = (n: number) => (n < count ? starts[n]! : found.end)
  return {
    count,
    columnCount: found.columnCount,
    ...(unclosedFrom !== undefined && { unclosedFrom }),
    sizeOf: n => end(n) - starts[n - 1]!,
    cells(n) {
      const record = text.decode(text.bytes.subarray(starts[n - 1]!, end(n))).replace(/\r?\n$/, '')
      if (record.trim() === '') return []
      const isQuoting = unclosedFrom === undefined || n < unclosedFrom
      return isQuoting && record.includes('"')
        ? splitQuoted(record, delimiter)
        : record.split(delimiter)
    },
  }
}

interface RecordIndex {
  readonly starts: Uint32Array
  readonly count: number
  readonly end: number
  readonly columnCount: number
  readonly unclosedFrom?: number
}

function index({ bytes, from }: ScannableText, delimiter: number, maxRecords: number): RecordIndex {
  let starts = new Uint32Array(1024)
  let count = 0
  let columnCount = 0
  let at = from
  let unclosedFrom: number | undefined
  while (at < bytes.length && count < maxRecords) {
    if (count === starts.length) starts = grow(starts)
    starts[count++] = at
    let record = endOfRecord(bytes, at, delimiter, unclosedFrom === undefined)
    if (!record) {
      unclosedFrom = count
      record = endOfRecord(bytes, at, delimiter, false)!
    }
    columnCount = Math.max(columnCount, record.cells)
    at = record.end
  }
  return {
    starts: starts.slice(0, count),
    count,
    end: at,
    columnCount,
    ...(unclosedFrom !== undefined && { unclosedFrom }),
  }
}

/** Undefined where a quote is never closed. */
function endOfRecord(
  bytes: Uint8Array,
  start: number,
  delimiter: number,
  isQuoting: boolean,
): { readonly end: number; readonly cells: number } | undefined {
  let cells = 1
  let isCellStart = true
  let isQuoted = false
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (isQuoted) {
      if (byte !== QUOTE) continue
      if (bytes[at + 1] === QUOTE) at++
      else isQuoted = false
      continue
    }
    if (byte === QUOTE && isCellStart && isQuoting) isQuoted = true
    else if (byte === delimiter) {
      cells++
      isCellStart = true
      continue
    } else if (byte === LF) return { end: at + 1, cells: isBlank(bytes, start, at) ? 0 : cells }
    isCellStart = false
  }
  return isQuoted ? undefined : { end: bytes.length, cells }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  return end === start || (end === start + 1 && bytes[start] === CR)
}

/** By slices: a cell of a hundred megabytes is not put together letter by letter. */
function splitQuoted(record: string, delimiter: string): string[] {
  const cells: string[] = []
  for (let at = 0; ; ) {
    const quoted = record[at] === '"' ? closingQuote(record, at + 1) : undefined
    const rest = quoted === undefined ? at : quoted + 1
    const next = record.indexOf(delimiter, rest)
    const plain = record.slice(rest, next < 0 ? undefined : next)
    const inside = quoted === undefined ? '' : record.slice(at + 1, quoted).replaceAll('""', '"')
    cells.push(inside + plain)
    if (next < 0) return cells
    at = next + 1
  }
}

/** The end of the record where there is none. */
function closingQuote(record: string, from: number): number {
  let at = record.indexOf('"', from)
  while (at >= 0 && record[at + 1] === '"') at = record.indexOf('"', at + 2)
  return at < 0 ? record.length : at
}

function grow(starts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(starts.length * 2)
  larger.set(starts)
  return larger
}
