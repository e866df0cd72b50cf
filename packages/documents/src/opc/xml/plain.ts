import { LIMITS } from '@filewright/protocol'

/** The role of a byte inside a tag: 2 starts a name, 1 continues one, 4 is white space. */
const KIND = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isLetter = (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90)
  if (isLetter || byte === 95 || byte === 58 || byte > 127) KIND[byte] = 2
  else if ((byte >= 48 && byte <= 57) || byte === 45 || byte === 46) KIND[byte] = 1
  else if (byte === 32 || byte === 9 || byte === 10 || byte === 13) KIND[byte] = 4
}
/** 1: allowed in text unchanged; the others are inspected. */
const PLAIN = new Uint8Array(256).fill(1)
for (let byte = 0; byte < 32; byte++) PLAIN[byte] = KIND[byte] === 4 ? 1 : 0
PLAIN[60] = PLAIN[38] = PLAIN[62] = 0
/** The same inside an attribute's value, where a quote may end it. */
const PLAIN_VALUE = Uint8Array.from(PLAIN)
PLAIN_VALUE[62] = 1
PLAIN_VALUE[34] = PLAIN_VALUE[39] = 0

const MAX_ATTRIBUTES = 32

/**
 * Whether a part is surely well-formed, judged from tags, plain text and the usual references alone. False only means
 * that `XmlReader` must decide: this is its short cut for large sheets, three times as fast.
 */
export function isPlainXml(bytes: Uint8Array): boolean {
  const scan = new PlainScan(bytes)
  // Piece by piece: a function that is called often is optimised sooner than a long loop.
  let at = startOf(bytes)
  while (at >= 0 && at < bytes.length) at = scan.run(at, Math.min(at + PIECE, bytes.length))
  return at >= 0 && scan.isClosed
}

const PIECE = 64 * 1024

class PlainScan {
  readonly #bytes: Uint8Array
  /** Offsets of the names of the open elements. */
  readonly #open = new Int32Array(2 * LIMITS.xmlDepth + 2)
  readonly #names = new Int32Array(2 * MAX_ATTRIBUTES)
  #top = 0
  #hasRoot = false

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isClosed(): boolean {
    return this.#hasRoot && this.#top === 0
  }

  /** Continues from an offset at least to the other; returns where it stopped, or -1 if something was not plain. */
  run(from: number, to: number): number {
    const bytes = this.#bytes
    const open = this.#open
    const limit = bytes.length
    let top = this.#top
    let at = from
    while (at < to) {
      let byte = bytes[at]!
      if (byte !== 60) {
        if (top === 0) {
          if (KIND[byte] !== 4) return -1
          at++
          continue
        }
        while (PLAIN[byte] === 1) byte = bytes[++at]!
        if (at >= limit) return -1
        if (byte === 38) {
          at = afterReference(bytes, at)
          if (at < 0) return -1
        } else if (byte === 62) {
          if (bytes[at - 1] === 93) return -1
          at++
        } else if (byte !== 60) return -1
        continue
      }
      byte = bytes[at + 1]!
      if (byte === 47) {
        const start = at + 2
        if (top === 0) return -1
        const nameEnd = open[--top]!
        const nameStart = open[--top]!
        const length = nameEnd - nameStart
        for (let index = 0; index < length; index++)
          if (bytes[nameStart + index] !== bytes[start + index]) return -1
        if (bytes[start + length] !== 62) return -1
        at = start + length + 1
        continue
      }
      if (KIND[byte] !== 2) return -1
      if (top === 0 && this.#hasRoot) return -1
      this.#hasRoot = true
      const nameStart = at + 1
      at = nameStart + 1
      while (KIND[bytes[at]!]! & 3) at++
      const nameEnd = at
      if (bytes[at] !== 62) at = afterAttributes(bytes, at, this.#names)
      if (at < 0 || top >= 2 * LIMITS.xmlDepth) return -1
      if (bytes[at] === 47) {
        if (bytes[at + 1] !== 62) return -1
        at += 2
        continue
      }
      open[top++] = nameStart
      open[top++] = nameEnd
      at++
    }
    this.#top = top
    return at
  }
}

/** The offset of the tag's `>` or `/`; -1 when the attributes are not plain. `names` holds the offset of each name. */
function afterAttributes(bytes: Uint8Array, from: number, names: Int32Array): number {
  let at = from
  let count = 0
  for (;;) {
    let byte = bytes[at]!
    if (byte === 62 || byte === 47) return at
    if (KIND[byte] !== 4) return -1
    while (KIND[byte] === 4) byte = bytes[++at]!
    if (byte === 62 || byte === 47) return at
    const start = at
    if (KIND[byte] !== 2) return -1
    while (KIND[bytes[at]!]! & 3) at++
    const end = at
    const mark = bytes[at + 1]!
    if (bytes[at] !== 61 || (mark !== 34 && mark !== 39)) return -1
    at = afterValue(bytes, at + 2, mark)
    if (at < 0 || count === MAX_ATTRIBUTES) return -1
    for (let index = 0; index < count; index++) {
      const other = names[2 * index]!
      if (names[2 * index + 1]! - other !== end - start) continue
      let offset = 0
      while (offset < end - start && bytes[other + offset] === bytes[start + offset]) offset++
      if (offset === end - start) return -1
    }
    names[2 * count] = start
    names[2 * count + 1] = end
    count++
  }
}

function afterValue(bytes: Uint8Array, from: number, mark: number): number {
  let at = from
  for (;;) {
    let byte = bytes[at]!
    while (PLAIN_VALUE[byte] === 1) byte = bytes[++at]!
    if (byte === mark) return at + 1
    if (byte === 38) {
      at = afterReference(bytes, at)
      if (at < 0) return -1
    } else if (byte === 34 || byte === 39) at++
    else return -1
  }
}

/** After the byte order mark and the declaration. */
function startOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  if (bytes[at] === 60 && bytes[at + 1] === 63 && bytes[at + 2] === 120) {
    const close = bytes.indexOf(63, at + 2)
    if (close >= 0 && bytes[close + 1] === 62) at = close + 2
  }
  return at
}

/** The five named entities; -1 for any other, which the reader handles. */
function afterReference(bytes: Uint8Array, at: number): number {
  const first = bytes[at + 1]
  const second = bytes[at + 2]
  if (second === 116 && bytes[at + 3] === 59 && (first === 108 || first === 103)) return at + 4
  if (first === 97 && second === 109 && bytes[at + 3] === 112 && bytes[at + 4] === 59) return at + 5
  const third = bytes[at + 3]
  const isQuot = first === 113 && second === 117 && third === 111 && bytes[at + 4] === 116
  const isApos = first === 97 && second === 112 && third === 111 && bytes[at + 4] === 115
  return (isQuot || isApos) && bytes[at + 5] === 59 ? at + 6 : -1
}
