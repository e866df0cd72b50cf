import { type Box, LIMITS } from '@filewright/protocol'
import { WORTH_REPLACING } from '../book/show.ts'
import { boxName, MAX_COLUMN } from '../cell/address.ts'
import type { CellScan } from '../cell/cell-scan.ts'
import { T_INLINE, T_NUMBER, T_STRING } from '../cell/cell-scan.ts'
import type { CellData } from '../cell/cells.ts'
import type { SharedStrings } from '../cell/strings.ts'
import { type Styles, showNumber } from '../cell/styles.ts'
import { textBytes } from '../cell/text-bytes.ts'
import { isOneRowDown } from './one-row-down.ts'

const CHUNK_BYTES = LIMITS.resultBytes * 0.75 // slightly less than a read puts into its table
const MAX_CHUNKS = 10_000
const FRAME = 8 // bytes of a row's number and separators, as in a read
const MAX_CELL = 8_400 // a read cuts a cell at 2,000 characters

/**
 * Finds ranges of whole rows that surely fit one read. The size of a cell is bounded from its bytes: rendering half a
 * million cells would cost more than the map.
 */
export class ChunkFinder {
  readonly #styles: Styles
  readonly #strings: SharedStrings
  readonly #is1904: boolean
  readonly #shown: number[] = []
  #rows = new Int32Array(256)
  #bytes = new Int32Array(256)
  /** The extra bytes of a row's formulas if none were shown as the one above. */
  #unsaid = new Int32Array(256)
  #count = 0
  #row = 0
  #rowBytes = 0
  #rowUnsaid = 0
  #longestShared = 0
  readonly #columns = new Uint8Array(MAX_COLUMN + 1)
  #columnCount = 0
  /** By column: the last formula, as its text or the tag of a shared one. */
  readonly #above: { row: number; isShared: boolean; start: number; end: number }[] = []

  constructor(styles: Styles, strings: SharedStrings, is1904: boolean) {
    this.#styles = styles
    this.#strings = strings
    this.#is1904 = is1904
  }

  /** A cell of the file. */
  addScan(cell: CellScan, sharedIndex: number): void {
    let bytes = sharedIndex >= 0 ? this.#strings.bytesOf(sharedIndex) : this.#valueBytes(cell)
    let repeated = bytes
    if (cell.formulaStart >= 0) {
      const length = cell.formulaTextEnd - cell.formulaText
      const isTagged = cell.formulaText - cell.formulaStart > 4
      if (isTagged && length > this.#longestShared) this.#longestShared = length
      // A cell that uses a shared formula may refer to cells further out, with longer names.
      bytes += 8 + (length > 0 ? length : 2 * this.#longestShared + 16)
      repeated = this.#repeatsAbove(cell) ? repeated + 8 : bytes
    }
    this.#add(cell.row, cell.column, repeated, bytes)
  }

  /** A cell after edits. */
  addCell({ row, column, style, content, formula }: CellData): void {
    let bytes = 8
    if (content.type === 'text') bytes = 2 + Buffer.byteLength(JSON.stringify(content.value))
    else if (content.type === 'number')
      bytes = this.#numberBytes(style, 24, Math.abs(content.value) < 1e15 ? 16 : HUGE)
    if (formula) bytes += 8 + Buffer.byteLength(formula.text)
    this.#add(row, column, bytes, bytes)
  }

  /** A row that is too large alone is its own chunk; a read of it says how to continue. */
  finish(used: Box): string[] {
    this.#endRow()
    this.#row = 0
    const chunks: string[] = []
    // A read has no column for empty cells.
    const perRow = this.#columnCount + FRAME
    let top = used.top
    let size = perRow
    let most = 0
    for (let index = 0; index < this.#count && chunks.length < MAX_CHUNKS; index++) {
      const row = this.#rows[index]!
      const bytes = this.#bytes[index]! + perRow
      most = Math.max(most, this.#unsaid[index]!)
      // A read takes 64 rows, then 128, and so on; the first row of each shows its formulas in full.
      const inFull = most * (1 + Math.ceil(Math.log2((row - top) / 64 + 1)))
      if (size + bytes + inFull > CHUNK_BYTES && row > top) {
        chunks.push(boxName({ ...used, top, bottom: row - 1 }))
        top = row
        size = perRow
        most = this.#unsaid[index]!
      }
      size += bytes
    }
    if (chunks.length < MAX_CHUNKS) chunks.push(boxName({ ...used, top }))
    return chunks
  }

  #add(row: number, column: number, bytes: number, inFull: number): void {
    if (this.#columns[column] === 0) {
      this.#columns[column] = 1
      this.#columnCount++
    }
    if (row !== this.#row) {
      this.#endRow()
      this.#row = row
    }
    const own = bytes < MAX_CELL ? bytes : MAX_CELL
    this.#rowBytes += own
    if (inFull > bytes) this.#rowUnsaid += inFull - own
  }

  #endRow(): void {
    if (this.#row === 0) return
    if (this.#count === this.#rows.length) {
      this.#rows = grown(this.#rows)
      this.#bytes = grown(this.#bytes)
      this.#unsaid = grown(this.#unsaid)
    }
    this.#rows[this.#count] = this.#row
    this.#bytes[this.#count] = this.#rowBytes
    this.#unsaid[this.#count++] = this.#rowUnsaid
    this.#rowBytes = this.#rowUnsaid = 0
  }

  /**
   * Whether it is shown as `{↑}`: the cell above uses the same shared formula, or its own reads the same one row
   * further down.
   */
  #repeatsAbove(cell: CellScan): boolean {
    const { bytes, row, column, formulaStart, formulaText, formulaTextEnd } = cell
    const isShared = formulaText === formulaTextEnd
    if (!isShared && formulaTextEnd - formulaText < WORTH_REPLACING) return false
    const own = isShared
      ? { row, isShared, start: formulaStart, end: formulaText }
      : { row, isShared, start: formulaText, end: formulaTextEnd }
    const above = this.#above[column]
    this.#above[column] = own
    if (above?.row !== row - 1 || above.isShared !== isShared) return false
    if (isShared) return Buffer.compare(slice(bytes, above), slice(bytes, own)) === 0
    const isPlain = formulaText - formulaStart <= 4
    return isPlain && isOneRowDown(bytes, above, own)
  }

  #valueBytes(cell: CellScan): number {
    const { bytes, valueText, valueTextEnd } = cell
    if (cell.type === T_INLINE) return textBytes(bytes, cell.inlineStart, cell.inlineEnd)
    if (cell.type === T_STRING) return textBytes(bytes, valueText, valueTextEnd)
    if (cell.type !== T_NUMBER) return valueTextEnd - valueText + 24
    const length = valueTextEnd - valueText
    // An exponent is near the end: `1.5E+20`, `1.5E-7`.
    for (let at = valueTextEnd - 2; at >= valueText && at > valueTextEnd - 6; at--)
      if (bytes[at] === 69 || bytes[at] === 101)
        return this.#numberBytes(cell.style, 24, bytes[at + 1] === 45 ? 1 : HUGE)
    if (this.#shownIn(cell.style) === 0) return length
    let whole = 0
    while (whole < length && bytes[valueText + whole] !== 46) whole++
    return this.#numberBytes(cell.style, length, whole)
  }

  /** As shown, with the exact value next to it: `1,234.50 {1234.4987}`. At most `whole` digits precede the point. */
  #numberBytes(style: number, length: number, whole: number): number {
    const shown = this.#shownIn(style)
    if (shown === 0) return length
    return shown + Math.ceil((Math.max(whole - 3, 0) * 4) / 3) + Math.max(length, DATE_BYTES) + 5
  }

  /** The bytes of a number of few digits in that format, from samples; 0 for General, which shows only the digits. */
  #shownIn(style: number): number {
    const known = this.#shown[style]
    if (known !== undefined) return known
    const shown = this.#shownBytes(style)
    this.#shown[style] = shown
    return shown
  }

  #shownBytes(style: number): number {
    const pattern = this.#styles.pattern(style)
    if (pattern === 'General') return 0
    const samples = this.#styles.isDate(style) ? DATES : NUMBERS
    const shown = samples.map(value => showNumber(value, pattern, this.#is1904).trim())
    return Math.max(...shown.map(text => Buffer.byteLength(text)))
  }
}

const HUGE = 300 // digits
const DATE_BYTES = 19
const NUMBERS = [0, 1.5, -1.5, 0.0001, 1234.5, -1234.5]
/** A day of every month and every weekday, with a time. */
const DATES = Array.from({ length: 28 }, (_, index) => 45_000.9999 + index * 27)

function slice(bytes: Uint8Array, { start, end }: { start: number; end: number }): Uint8Array {
  return bytes.subarray(start, end)
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * array.length)
  more.set(array)
  return more
}
