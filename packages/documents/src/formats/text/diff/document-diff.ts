import { asBuffer } from '../decode/codec.ts'
import type { TextDocument } from '../decode/text.ts'
import { createLineNumbering, diffLines, type Hunk, slideDown } from './line-diff.ts'

/**
 * The line difference of two documents. With `lineEnds`, terminators and the BOM count; without, only the text. The
 * common start and end are compared by bytes, so a large file with one changed line costs two scans.
 */
export function diffDocuments(
  old: TextDocument,
  now: TextDocument,
  { lineEnds }: { lineEnds: boolean },
): Hunk[] {
  const both = new Both(old, now, lineEnds)
  const prefix = both.countPrefix()
  const suffix = both.countSuffix(prefix)
  const numberOf = createLineNumbering()
  const a = Int32Array.from({ length: old.lineCount - prefix - suffix }, (_, i) =>
    numberOf(both.keyOf(old, prefix + i + 1)),
  )
  const b = Int32Array.from({ length: now.lineCount - prefix - suffix }, (_, i) =>
    numberOf(both.keyOf(now, prefix + i + 1)),
  )
  const hunks = diffLines(a, b).map(({ aStart, aEnd, bStart, bEnd }) => ({
    aStart: aStart + prefix,
    aEnd: aEnd + prefix,
    bStart: bStart + prefix,
    bEnd: bEnd + prefix,
  }))
  return slideDown(hunks, {
    aLength: old.lineCount,
    equalInA: (i, j) => both.keyOf(old, i + 1) === both.keyOf(old, j + 1),
    equalInB: (i, j) => both.keyOf(now, i + 1) === both.keyOf(now, j + 1),
  })
}

/** Whether line `n` of one text equals line `m` of the other, byte for byte if they share an encoding. */
export function sameLine(a: TextDocument, n: number, b: TextDocument, m: number): boolean {
  if (a.encoding !== b.encoding) return a.line(n) === b.line(m)
  return asBuffer(a.lineBytes(n)).equals(b.lineBytes(m))
}

class Both {
  readonly #old: TextDocument
  readonly #now: TextDocument
  readonly #lineEnds: boolean
  readonly #sharesEncoding: boolean

  constructor(old: TextDocument, now: TextDocument, lineEnds: boolean) {
    this.#old = old
    this.#now = now
    this.#lineEnds = lineEnds
    this.#sharesEncoding = old.encoding === now.encoding
  }

  /** Compares bytes where possible: two lines with different broken bytes look alike once decoded. */
  keyOf(doc: TextDocument, n: number): string {
    const text = this.#sharesEncoding ? asBuffer(doc.lineBytes(n)).toString('latin1') : doc.line(n)
    if (!this.#lineEnds) return text
    return `${text}\n${doc.terminator(n) ?? ''}${n === 1 && doc.bom ? ' bom' : ''}`
  }

  countPrefix(): number {
    const [old, now] = [this.#old, this.#now]
    const most = Math.min(old.lineCount, now.lineCount)
    let n = this.#equalBytesAtStart()
    while (n < most && this.#same(n + 1, n + 1)) n++
    return n
  }

  countSuffix(prefix: number): number {
    const [old, now] = [this.#old, this.#now]
    const most = Math.min(old.lineCount, now.lineCount) - prefix
    let n = Math.min(most, this.#equalBytesAtEnd())
    while (n < most && this.#same(old.lineCount - n, now.lineCount - n)) n++
    return n
  }

  #same(n: number, m: number): boolean {
    const [old, now] = [this.#old, this.#now]
    if (!sameLine(old, n, now, m)) return false
    if (!this.#lineEnds) return true
    const hasBom = (doc: TextDocument, line: number) => line === 1 && doc.bom
    return old.terminator(n) === now.terminator(m) && hasBom(old, n) === hasBom(now, m)
  }

  /** How many whole lines, terminators included, both begin with. */
  #equalBytesAtStart(): number {
    const [old, now] = [this.#old, this.#now]
    if (!this.#sharesEncoding || old.bomLength !== now.bomLength) return 0
    const same = commonStart(old.bytes, now.bytes)
    if (same === old.sizeBytes && same === now.sizeBytes) return old.lineCount
    // the line that contains the first differing byte, or directly follows it, is left to the line comparison
    return Math.max(0, old.lineAt(same) - 1)
  }

  #equalBytesAtEnd(): number {
    const [old, now] = [this.#old, this.#now]
    const isOdd = (doc: TextDocument) => doc.sizeBytes % doc.codec.unit === 1
    if (!this.#sharesEncoding || isOdd(old) || isOdd(now)) return 0
    if (old.lineCount === 0 || now.lineCount === 0) return 0
    const bytes = commonEnd(old.bytes, now.bytes)
    const same = bytes - (bytes % old.codec.unit) // half a unit is not a line end
    const firstWhole = old.lineAt(Math.max(old.bomLength, old.sizeBytes - same)) + 1
    return Math.max(0, old.lineCount - firstWhole + 1)
  }
}

/** The library compares ever smaller blocks; only the last few bytes are compared one by one. */
const BLOCKS = [64 * 1024, 1024, 64]

function commonStart(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  const [left, right] = [asBuffer(a), asBuffer(b)]
  let n = 0
  for (const block of BLOCKS)
    while (n + block <= most && left.compare(right, n, n + block, n, n + block) === 0) n += block
  while (n < most && a[n] === b[n]) n++
  return n
}

function commonEnd(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  const [left, right] = [asBuffer(a), asBuffer(b)]
  let n = 0
  for (const block of BLOCKS)
    while (n + block <= most && isSameBefore(left, a.length - n, right, b.length - n, block))
      n += block
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) n++
  return n
}

function isSameBefore(a: Buffer, aEnd: number, b: Buffer, bEnd: number, length: number): boolean {
  return a.compare(b, bEnd - length, bEnd, aEnd - length, aEnd) === 0
}
