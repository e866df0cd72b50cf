import { decodeText } from '../../../opc/index.ts'

/** A cell's `t`: how its value is written. */
export const T_NUMBER = 0
export const T_SHARED = 1
export const T_STRING = 2
export const T_BOOLEAN = 3
export const T_ERROR = 4
export const T_INLINE = 5
export const T_DATE = 6

export interface TagScan {
  /** After the tag. */
  end: number
  isEmpty: boolean
  /** Its `r`, when it is a number. */
  row: number
}

/** Reads a row's tag at its `<`. */
export function readTag(bytes: Uint8Array, start: number, out: TagScan): void {
  let at = start + 1
  out.row = 0
  let byte = bytes[at]!
  while (byte !== 62 && at < bytes.length) {
    if (byte === 34 || byte === 39) {
      const valueStart = at + 1
      at = valueStart
      while (bytes[at] !== byte && at < bytes.length) at++
      if (isNamedR(bytes, valueStart - 2)) {
        let row = 0
        for (let i = valueStart; i < at; i++) row = row * 10 + bytes[i]! - 48
        out.row = row > 0 && row <= 1_048_576 ? row : 0
      }
    }
    byte = bytes[++at]!
  }
  out.isEmpty = bytes[at - 1] === 47
  out.end = at + 1
}

/** Whether the attribute whose `=` is at or before that offset is called `r`. */
function isNamedR(bytes: Uint8Array, from: number): boolean {
  let at = from
  while (isSpace(bytes[at]!)) at--
  at--
  while (isSpace(bytes[at]!)) at--
  return bytes[at] === 114 && isSpace(bytes[at - 1]!)
}

/** One cell by offsets; reused for every cell, so that scanning a sheet allocates nothing. */
export class CellScan {
  bytes: Uint8Array = EMPTY
  row = 0
  column = 0
  start = 0
  end = 0
  /** After `<c …>`. */
  tagEnd = 0
  isEmptyTag = false
  style = 0
  type = T_NUMBER
  /** Whether it has an address; without one it is right of the previous cell. */
  hasReference = false
  /** Its address names another row than its own, or no column: programs disagree on where it is. */
  isMisplaced = false
  /** `cm`, which marks the formula as a dynamic array; 0 without. */
  metadata = 0
  /** The element `<f>`; its tag ends at `formulaText`. -1 when there is none. */
  formulaStart = -1
  formulaText = 0
  formulaTextEnd = 0
  formulaEnd = 0
  /** The element `<v>`. -1 when there is none. */
  valueStart = -1
  valueText = 0
  valueTextEnd = 0
  valueEnd = 0
  /** The content of `<is>`. -1 when there is none. */
  inlineStart = -1
  inlineEnd = 0

  get hasContent(): boolean {
    return this.formulaStart >= 0 || this.valueTextEnd > this.valueText || this.inlineStart >= 0
  }

  /** Whether the formula has a stored value: `<v/>` is none, unless the value is text. */
  get isComputed(): boolean {
    if (this.valueStart < 0) return false
    if (this.type === T_STRING) return true
    const end = endOfTag(this.bytes, this.valueStart)
    const isClosed = this.bytes[end] === 60 && this.bytes[end + 1] === 47
    return this.bytes[end - 2] !== 47 && !isClosed
  }

  /** The index of a shared string, when it is one. */
  sharedIndex(): number {
    const { bytes, valueText, valueTextEnd } = this
    let index = 0
    for (let at = valueText; at < valueTextEnd; at++)
      if (!isSpace(bytes[at]!)) index = index * 10 + bytes[at]! - 48
    return index
  }

  rawValue(): string {
    return this.valueStart < 0 ? '' : decodeText(this.bytes, this.valueText, this.valueTextEnd)
  }

  /** The cells between two offsets of one row; a cell without `r` is right of the previous one. */
  scan(
    bytes: Uint8Array,
    from: number,
    to: number,
    row: number,
    prefixLength: number,
    visit: (cell: CellScan) => void,
  ): void {
    this.bytes = bytes
    this.row = row
    let column = 0
    let at = from
    while (at < to) {
      while (bytes[at] !== 60) if (++at >= to) return
      const name = at + 1 + prefixLength
      const first = bytes[name]!
      const isCell = first === 99 && !isNameByte(bytes[name + 1]!)
      if (bytes[at + 1] === 47 || !isCell) {
        at = skipMarkup(bytes, at, to)
        continue
      }
      this.start = at
      this.column = 0
      at = this.#readCellTag(name + 1)
      this.tagEnd = at
      this.hasReference = this.column > 0
      column = this.hasReference ? this.column : column + 1
      this.column = column
      this.formulaStart = this.valueStart = this.inlineStart = -1
      this.valueText = this.valueTextEnd = 0
      if (!this.isEmptyTag) at = this.#readChildren(at, to, prefixLength)
      this.end = at
      visit(this)
    }
  }

  /**
   * Reads only address, formula and where the value starts, for the cell whose formula starts there. False when the
   * formula is not preceded by a plain cell tag with its column: then the row must be scanned.
   */
  scanFormula(bytes: Uint8Array, formulaAt: number, row: number, prefixLength: number): boolean {
    let start = formulaAt - 1
    if (bytes[start] !== 62) return false
    while (bytes[start] !== 60) start--
    const name = start + 1 + prefixLength
    if (bytes[name] !== 99 || isNameByte(bytes[name + 1]!)) return false
    this.bytes = bytes
    this.row = row
    this.column = 0
    if (this.#readCellTag(name + 1) !== formulaAt || this.column === 0) return false
    this.formulaStart = formulaAt
    let at = endOfTag(bytes, formulaAt)
    this.formulaText = this.formulaTextEnd = at
    if (bytes[at - 2] !== 47) {
      while (bytes[at] !== 60 && at < bytes.length) at++
      if (bytes[at + 1] !== 47) return false
      this.formulaTextEnd = at
      at = endOfTag(bytes, at)
    }
    this.formulaEnd = at
    while (isSpace(bytes[at]!)) at++
    this.valueStart = bytes[at + 1 + prefixLength] === 118 ? at : -1
    return true
  }

  /** r, s, t and cm in any order and quoting. Returns the offset after the tag. */
  #readCellTag(from: number): number {
    const { bytes } = this
    this.style = 0
    this.type = T_NUMBER
    this.metadata = 0
    this.isMisplaced = false
    let at = from
    for (;;) {
      const byte = bytes[at]
      if (byte === 62) {
        this.isEmptyTag = bytes[at - 1] === 47
        return at + 1
      }
      if (byte === undefined) {
        this.isEmptyTag = true
        return at
      }
      if (byte !== 61) {
        at++
        continue
      }
      // At `=`: the name precedes it, and a quoted value follows.
      let nameEnd = at
      while (isSpace(bytes[nameEnd - 1]!)) nameEnd--
      at++
      while (isSpace(bytes[at]!)) at++
      const quote = bytes[at]!
      const value = at + 1
      const name = bytes[nameEnd - 1]!
      const isShort = isSpace(bytes[nameEnd - 2]!)
      if (isShort && name === 114) at = this.#readReference(value)
      else if (isShort && name === 115) {
        let style = 0
        for (at = value; bytes[at]! >= 48 && bytes[at]! <= 57; at++)
          style = style * 10 + bytes[at]! - 48
        this.style = style
      } else if (isShort && name === 116) this.type = typeOf(bytes, value)
      else if (name === 109 && bytes[nameEnd - 2] === 99 && isSpace(bytes[nameEnd - 3]!))
        for (at = value; bytes[at]! >= 48 && bytes[at]! <= 57; at++)
          this.metadata = this.metadata * 10 + bytes[at]! - 48
      at = at < value ? value : at
      while (at < bytes.length && bytes[at] !== quote) at++
      at++
    }
  }

  #readReference(from: number): number {
    const { bytes } = this
    let at = from
    let column = 0
    let byte = bytes[at]!
    while (byte >= 65) {
      column = column * 26 + (byte & 31)
      byte = bytes[++at]!
    }
    this.column = column <= 16_384 ? column : 0
    let row = 0
    for (; byte >= 48 && byte <= 57; byte = bytes[++at]!) row = row * 10 + byte - 48
    this.isMisplaced = row !== this.row || column > 16_384
    return at
  }

  #readChildren(from: number, to: number, prefixLength: number): number {
    const { bytes } = this
    let at = from
    while (at < to) {
      while (bytes[at] !== 60) if (++at >= to) return to
      if (bytes[at + 1] === 47) return endOfTag(bytes, at)
      const name = at + 1 + prefixLength
      const first = bytes[name]!
      const isOneLetter = !isNameByte(bytes[name + 1]!)
      if (first === 118 && isOneLetter) {
        this.valueStart = at
        this.valueText = at = endOfTag(bytes, at)
        if (bytes[at - 2] === 47) this.valueTextEnd = this.valueEnd = at
        else {
          at = findClose(bytes, at, to)
          this.valueTextEnd = at
          this.valueEnd = at = endOfTag(bytes, at)
        }
      } else if (first === 102 && isOneLetter) {
        this.formulaStart = at
        this.formulaText = at = endOfTag(bytes, at)
        if (bytes[at - 2] === 47) this.formulaTextEnd = this.formulaEnd = at
        else {
          at = findClose(bytes, at, to)
          this.formulaTextEnd = at
          this.formulaEnd = at = endOfTag(bytes, at)
        }
      } else if (first === 105 && bytes[name + 1] === 115) {
        this.inlineStart = at = endOfTag(bytes, at)
        if (bytes[at - 2] === 47) this.inlineEnd = at
        else {
          at = findNamedClose(bytes, at, to, name, 2, prefixLength)
          this.inlineEnd = at
          at = endOfTag(bytes, at)
        }
      } else if (bytes[at + 1] === 33 || bytes[at + 1] === 63) at = skipMarkup(bytes, at, to)
      else {
        const end = endOfTag(bytes, at)
        if (bytes[end - 2] === 47) at = end
        else {
          let nameEnd = at + 1
          while (isNameByte(bytes[nameEnd]!)) nameEnd++
          at = endOfTag(bytes, findNamedClose(bytes, end, to, at + 1, nameEnd - at - 1, 0))
        }
      }
    }
    return to
  }
}

const EMPTY = new Uint8Array(0)

/** Where the closing tag starts. Skips comments, CDATA and unexpected elements inside. */
function findClose(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  let depth = 0
  while (at < to) {
    while (bytes[at] !== 60) if (++at >= to) return to
    const next = bytes[at + 1]
    if (next === 47 && depth-- === 0) return at
    const start = at
    at = skipMarkup(bytes, at, to)
    if (next !== 47 && next !== 33 && next !== 63 && bytes[at - 2] !== 47 && at > start) depth++
  }
  return to
}

/** The closing tag whose local name is the bytes at `name`. */
function findNamedClose(
  bytes: Uint8Array,
  from: number,
  to: number,
  name: number,
  length: number,
  prefixLength: number,
): number {
  let at = from
  while (at < to) {
    while (bytes[at] !== 60) if (++at >= to) return to
    if (bytes[at + 1] === 47) {
      const own = at + 2 + prefixLength
      let same = !isNameByte(bytes[own + length]!)
      for (let i = 0; i < length && same; i++) same = bytes[own + i] === bytes[name + i]
      if (same) return at
    }
    at = skipMarkup(bytes, at, to)
  }
  return to
}

/** After a tag, a comment, a CDATA section or an instruction. */
function skipMarkup(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at + 1] === 33) {
    const isComment = bytes[at + 2] === 45
    const mark = isComment ? 45 : 93
    let end = at + 3
    while (end < to && !(bytes[end] === 62 && bytes[end - 1] === mark && bytes[end - 2] === mark))
      end++
    return Math.min(end + 1, to)
  }
  return Math.min(endOfTag(bytes, at), to)
}

/** After `>`; ignores one inside quotes. */
function endOfTag(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    const byte = bytes[at]
    if (byte === 62) return at + 1
    if (byte === undefined) return at
    if (byte === 34 || byte === 39) {
      at++
      while (at < bytes.length && bytes[at] !== byte) at++
    }
    at++
  }
}

function typeOf(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  const second = bytes[at + 1]
  if (first === 115) return second === 116 ? T_STRING : T_SHARED
  if (first === 98) return T_BOOLEAN
  if (first === 101) return T_ERROR
  if (first === 105) return T_INLINE
  if (first === 100) return T_DATE
  return T_NUMBER
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 9 || byte === 13
}

function isNameByte(byte: number): boolean {
  return (
    (byte >= 97 && byte <= 122) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= 48 && byte <= 58) ||
    byte === 45 ||
    byte === 46 ||
    byte === 95 ||
    byte > 127
  )
}
