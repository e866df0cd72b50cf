import { bufferOf } from './xml/encoding.ts'

const MAX_MISSES = 16 // hits of the rare byte in one search; with more, it is not rare here

/**
 * Finds a short pattern of ASCII bytes. Buffer.indexOf stops at every occurrence of a short pattern's first byte, and
 * in XML that is every `<`. This searches for its rare byte, which the processor finds quickly, or hops (Horspool)
 * where no byte of it is rare.
 */
export class BytePattern {
  readonly #bytes: Uint8Array
  readonly #skips: Uint8Array
  readonly #rareAt: number

  /** `rare` is a character of the pattern that the searched bytes seldom contain. */
  constructor(text: string, rare?: string) {
    this.#bytes = Buffer.from(text, 'latin1')
    this.#rareAt = rare === undefined ? -1 : text.lastIndexOf(rare)
    const { length } = this.#bytes
    this.#skips = new Uint8Array(256).fill(length)
    for (let index = 0; index < length - 1; index++)
      this.#skips[this.#bytes[index]!] = length - 1 - index
  }

  get length(): number {
    return this.#bytes.length
  }

  /** Where it starts, at or after `from` and wholly before `to`; -1 when nowhere. */
  find(bytes: Uint8Array, from: number, to = bytes.length): number {
    if (this.#rareAt < 0) return this.#hop(bytes, from, to)
    const buffer = bufferOf(bytes)
    const rare = this.#bytes[this.#rareAt]!
    let hit = from + this.#rareAt - 1
    for (let misses = 0; misses < MAX_MISSES; misses++) {
      hit = buffer.indexOf(rare, hit + 1)
      const start = hit - this.#rareAt
      if (hit < 0 || start + this.length > to) return -1
      if (this.#isAt(bytes, start)) return start
    }
    return this.#hop(bytes, hit + 1 - this.#rareAt, to)
  }

  #isAt(bytes: Uint8Array, start: number): boolean {
    const pattern = this.#bytes
    for (let index = 0; index < pattern.length; index++)
      if (bytes[start + index] !== pattern[index]) return false
    return true
  }

  #hop(bytes: Uint8Array, from: number, to: number): number {
    const pattern = this.#bytes
    const skips = this.#skips
    const last = pattern.length - 1
    const end = pattern[last]!
    let at = from + last
    while (at < to) {
      const byte = bytes[at]!
      if (byte === end) {
        let index = last - 1
        while (index >= 0 && bytes[at - last + index] === pattern[index]) index--
        if (index < 0) return at - last
      }
      at += skips[byte]!
    }
    return -1
  }
}

/** Whether `<!` is there: a comment, CDATA or a document type. */
export function hasDeclarations(bytes: Uint8Array, from: number, to = bytes.length): boolean {
  for (let at = bytes.indexOf(33, from); at >= 0 && at < to; at = bytes.indexOf(33, at + 1))
    if (bytes[at - 1] === 60) return true
  return false
}
