import { MAX_COLUMN, MAX_ROW } from '../cell/address.ts'

/**
 * The inputs of most formulas, found in their bytes: cells and ranges of their own sheet, numbers, operators and
 * functions. `findReferences` handles every other formula; this allocates nothing and takes a tenth of its time.
 */
export class SimpleReferences {
  count = 0
  /** Top, left, bottom and right of each area. */
  corners = new Int32Array(64)
  #row = 0
  #column = 0

  /** False when the formula contains anything else. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    this.count = 0
    let at = from
    while (at < to) {
      const kind = KIND[bytes[at]!]!
      if (kind === OPERATOR) {
        at++
        continue
      }
      if (kind === STRANGER) return false
      if (kind === DIGIT) {
        while (at < to && (KIND[bytes[at]!] === DIGIT || bytes[at] === 46)) at++
        if (at < to && KIND[bytes[at]!] !== OPERATOR) return false
        continue
      }
      const start = at
      while (at < to && KIND[bytes[at]!]! >= DIGIT) at++
      if (at < to && bytes[at] === 40) {
        if (mayBeDynamic(bytes, start, at - start)) return false
        continue
      }
      if (!this.#readCorner(bytes, start, at)) return false
      const top = this.#row
      const left = this.#column
      if (at < to && bytes[at] === 58) {
        const second = ++at
        while (at < to && KIND[bytes[at]!]! >= DIGIT) at++
        if (!this.#readCorner(bytes, second, at)) return false
      }
      // A second colon, a name that goes on, or a call of what a cell holds.
      if (at < to && (KIND[bytes[at]!] !== OPERATOR || bytes[at] === 40)) return false
      this.#add(top, left)
    }
    return true
  }

  /** Exactly `B2` or `$B$2`. */
  #readCorner(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from
    let column = 0
    let row = 0
    if (bytes[at] === 36) at++
    const letters = at
    for (; at < to && KIND[bytes[at]!] === LETTER; at++) column = column * 26 + (bytes[at]! & 31)
    if (at === letters || at - letters > 3) return false
    if (at < to && bytes[at] === 36) at++
    const digits = at
    for (; at < to && KIND[bytes[at]!] === DIGIT; at++) row = row * 10 + bytes[at]! - 48
    if (at !== to || at === digits || at - digits > 7) return false
    if (row === 0 || row > MAX_ROW || column > MAX_COLUMN) return false
    this.#row = row
    this.#column = column
    return true
  }

  #add(top: number, left: number): void {
    if (4 * this.count === this.corners.length) {
      const more = new Int32Array(2 * this.corners.length)
      more.set(this.corners)
      this.corners = more
    }
    const at = 4 * this.count++
    this.corners[at] = Math.min(top, this.#row)
    this.corners[at + 1] = Math.min(left, this.#column)
    this.corners[at + 2] = Math.max(top, this.#row)
    this.corners[at + 3] = Math.max(left, this.#column)
  }
}

/** As long as the name of a function whose inputs are only known when computed (INFO, OFFSET, INDIRECT …), or SHEET. */
function mayBeDynamic(bytes: Uint8Array, start: number, length: number): boolean {
  if (length === 5) return (bytes[start]! | 32) === 115 && (bytes[start + 1]! | 32) === 104
  return length === 4 || length === 6 || length >= 8
}

const STRANGER = 0
const OPERATOR = 1
const DIGIT = 2
const LETTER = 3
const DOLLAR = 4

/** Quotes, sheets, tables, names, errors, references and everything beyond ASCII are not simple; neither is a colon. */
const KIND = new Uint8Array(256)
for (const char of ' +-*/^=,;()%\n\r\t') KIND[char.charCodeAt(0)] = OPERATOR
for (const char of '0123456789') KIND[char.charCodeAt(0)] = DIGIT
for (let code = 65; code <= 90; code++) KIND[code] = KIND[code + 32] = LETTER
KIND[36] = DOLLAR
