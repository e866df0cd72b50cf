import { asBuffer } from './codec.ts'

const LF = 0x0a
const CR = 0x0d

export type Eol = 'lf' | 'crlf'
export type EolSummary = Eol | 'mixed' | 'none'

/** Where each line of a file begins. Only LF and CRLF end a line. */
export interface LineIndex {
  readonly count: number
  /** Byte offsets, `count` of them. */
  readonly starts: Uint32Array
  readonly lfCount: number
  readonly crlfCount: number
  readonly finalNewline: boolean
  /** Bytes of the longest line without its terminator. */
  readonly longest: number
}

export interface Units {
  readonly unit: 1 | 2
  readonly bigEndian: boolean
}

/** One pass of `indexOf`, no strings: 100 MB in about 50 ms. `from` is where the BOM ends. */
export function indexLines(bytes: Uint8Array, from: number, units: Units): LineIndex {
  const buffer = asBuffer(bytes)
  return units.unit === 1 ? indexBytes(buffer, from) : indexUnits(buffer, from, units.bigEndian)
}

/** Kept separate so that `indexOf` is the only call per line: most files take this path. */
function indexBytes(buffer: Buffer, from: number): LineIndex {
  let starts = scratch
  let count = 0
  let crlfCount = 0
  let longest = 0
  let start = from
  let newline = 0
  while (start < buffer.length) {
    if (count === starts.length) starts = grow(starts)
    starts[count++] = start
    newline = buffer.indexOf(LF, start)
    if (newline === -1) break
    let length = newline - start
    if (length > 0 && buffer[newline - 1] === CR) {
      length--
      crlfCount++
    }
    if (length > longest) longest = length
    start = newline + 1
  }
  const finalNewline = count > 0 && newline !== -1
  if (newline === -1) longest = Math.max(longest, buffer.length - start)
  const lfCount = (finalNewline ? count : Math.max(0, count - 1)) - crlfCount
  return { count, starts: starts.slice(0, count), lfCount, crlfCount, finalNewline, longest }
}

function indexUnits(buffer: Buffer, from: number, bigEndian: boolean): LineIndex {
  const units: Units = { unit: 2, bigEndian }
  let starts = scratch
  let count = 0
  let lfCount = 0
  let crlfCount = 0
  let longest = 0
  let start = from
  let finalNewline = false
  while (start < buffer.length) {
    if (count === starts.length) starts = grow(starts)
    starts[count++] = start
    const newline = nextUnitNewline(buffer, start, from, bigEndian)
    finalNewline = newline !== -1
    if (!finalNewline) {
      longest = Math.max(longest, buffer.length - start)
      break
    }
    const isCrlf = newline > start && unitAt(buffer, newline - units.unit, units) === CR
    if (isCrlf) crlfCount++
    else lfCount++
    const length = newline - start - (isCrlf ? units.unit : 0)
    if (length > longest) longest = length
    start = newline + units.unit
  }
  return { count, starts: starts.slice(0, count), lfCount, crlfCount, finalNewline, longest }
}

export function summariseEol(index: LineIndex): EolSummary {
  if (index.lfCount > 0 && index.crlfCount > 0) return 'mixed'
  if (index.crlfCount > 0) return 'crlf'
  return index.lfCount > 0 ? 'lf' : 'none'
}

export function unitAt(bytes: Uint8Array, offset: number, { unit, bigEndian }: Units): number {
  const first = bytes[offset]!
  if (unit === 1) return first
  const second = bytes[offset + 1]!
  return bigEndian ? (first << 8) | second : first | (second << 8)
}

function nextUnitNewline(buffer: Buffer, start: number, from: number, bigEndian: boolean): number {
  const low = bigEndian ? 1 : 0
  for (let at = buffer.indexOf(LF, start); at !== -1; at = buffer.indexOf(LF, at + 1)) {
    const unitStart = at - low
    const isAligned = (unitStart - from) % 2 === 0 && unitStart >= start
    if (isAligned && buffer[bigEndian ? at - 1 : at + 1] === 0) return unitStart
  }
  return -1
}

/** Reused for each file and copied from, so that a file keeps only as many entries as it has lines. */
const scratch = new Uint32Array(16 * 1024)

function grow(starts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(starts.length * 2)
  larger.set(starts)
  return larger
}
