import { type Box, LIMITS } from '@filewright/protocol'
import { boxName } from './address.ts'
import type { CellScan } from './cell-scan.ts'
import { T_INLINE, T_NUMBER, T_SHARED, T_STRING } from './cell-scan.ts'
import type { CellData } from './cells.ts'
import type { SharedStrings } from './strings.ts'
import { type Styles, showNumber } from './styles.ts'
import { textBytes } from './text-bytes.ts'

const CHUNK_BYTES = LIMITS.resultBytes * 0.75 // what a read fills its table with, and a little less
const MAX_CHUNKS = 10_000
const FRAME = 8 // bytes of a row's number and what stands around its cells, as in a read
const MAX_CELL = 8_400 // a read cuts a cell at 2,000 characters

/**
 * Finds ranges of whole rows that one read surely shows. What a cell takes is bounded from its bytes: to render half a
 * million cells would cost more than the map.
 */
export class ChunkFinder {
  readonly #styles: Styles
  readonly #strings: SharedStrings
  readonly #is1904: boolean
  readonly #extra: number[] = []
  #rows = new Int32Array(256)
  #bytes = new Int32Array(256)
  /** What the formulas of a row would take more if none were said as the one above. */
  #unsaid = new Int32Array(256)
  #count = 0
  #longestShared = 0
  readonly #tagRows: number[] = []
  readonly #tags: number[] = []

  constructor(styles: Styles, strings: SharedStrings, is1904: boolean) {
    this.#styles = styles
    this.#strings = strings
    this.#is1904 = is1904
  }

  /** A cell of the file. */
  addScan(cell: CellScan): void {
    let bytes = this.#valueBytes(cell)
    let repeated = bytes
    if (cell.formulaStart >= 0) {
      const length = cell.formulaTextEnd - cell.formulaText
      const isTagged = cell.formulaText - cell.formulaStart > 4
      if (isTagged && length > this.#longestShared) this.#longestShared = length
      // A user of a shared formula may name cells further out, with longer names.
      bytes += 8 + (length > 0 ? length : 2 * this.#longestShared + 16)
      repeated = length === 0 && this.#repeatsAbove(cell) ? repeated + 8 : bytes
    }
    this.#add(cell.row, repeated, bytes)
  }

  /** A cell as edits left it. */
  addCell({ row, style, content, formula }: CellData): void {
    let bytes = 8
    if (content.type === 'text') bytes = 2 + Buffer.byteLength(JSON.stringify(content.value))
    else if (content.type === 'number')
      bytes = this.#numberBytes(style, String(content.value).length, true)
    if (formula) bytes += 8 + Buffer.byteLength(formula.text)
    this.#add(row, bytes, bytes)
  }

  /** A row that alone is too much is a chunk of its own; a read of it says how to go on. */
  finish(used: Box): string[] {
    const chunks: string[] = []
    const perRow = used.right - used.left + 1 + FRAME
    let top = used.top
    let size = perRow
    let most = 0
    for (let index = 0; index < this.#count && chunks.length < MAX_CHUNKS; index++) {
      const row = this.#rows[index]!
      const bytes = this.#bytes[index]! + perRow
      most = Math.max(most, this.#unsaid[index]!)
      // A read takes 64 rows, then 128, and so on; the first of each says its formulas in full.
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

  #add(row: number, bytes: number, inFull: number): void {
    const own = Math.min(bytes, MAX_CELL)
    const unsaid = Math.min(inFull, MAX_CELL) - own
    if (this.#count === 0 || this.#rows[this.#count - 1] !== row) {
      if (this.#count === this.#rows.length) {
        this.#rows = grown(this.#rows)
        this.#bytes = grown(this.#bytes)
        this.#unsaid = grown(this.#unsaid)
      }
      this.#rows[this.#count] = row
      this.#bytes[this.#count] = this.#unsaid[this.#count] = 0
      this.#count++
    }
    this.#bytes[this.#count - 1]! += own
    this.#unsaid[this.#count - 1]! += unsaid
  }

  /** Whether the cell above uses the same shared formula, so that it is said as `{↑}`. */
  #repeatsAbove({ bytes, row, column, formulaStart, formulaText }: CellScan): boolean {
    let hash = 0
    for (let at = formulaStart; at < formulaText; at++)
      hash = (Math.imul(hash, 31) + bytes[at]!) | 0
    const repeats = this.#tagRows[column] === row - 1 && this.#tags[column] === hash
    this.#tagRows[column] = row
    this.#tags[column] = hash
    return repeats
  }

  #valueBytes(cell: CellScan): number {
    const { bytes, valueText, valueTextEnd } = cell
    if (cell.type === T_SHARED) {
      let index = 0
      for (let at = valueText; at < valueTextEnd; at++) index = index * 10 + bytes[at]! - 48
      return this.#strings.bytesOf(index)
    }
    if (cell.type === T_INLINE) return textBytes(bytes, cell.inlineStart, cell.inlineEnd)
    if (cell.type === T_STRING) return textBytes(bytes, valueText, valueTextEnd)
    if (cell.type !== T_NUMBER) return valueTextEnd - valueText + 24
    let isLong = false
    for (let at = valueText; at < valueTextEnd; at++)
      if (bytes[at] === 69 || bytes[at] === 101) isLong = true
    return this.#numberBytes(cell.style, valueTextEnd - valueText, isLong)
  }

  /** As shown, and as it is beside it: `1,234.50 {1234.4987}`. */
  #numberBytes(style: number, length: number, isLong: boolean): number {
    const extra = (this.#extra[style] ??= this.#extraOf(style))
    const digits = isLong ? 24 : length
    if (extra === 0) return digits
    return extra + Math.ceil(digits / 3) + 2 * digits + 4 + (isLong ? 300 : 0)
  }

  /** What a number format adds to the digits, from samples; 0 for General. */
  #extraOf(style: number): number {
    const pattern = this.#styles.pattern(style)
    if (pattern === 'General') return 0
    const samples = this.#styles.isDate(style) ? DATES : NUMBERS
    const shown = samples.map(value => showNumber(value, pattern, this.#is1904))
    return 24 + Math.max(...shown.map(text => Buffer.byteLength(text)))
  }
}

const NUMBERS = [0, 1.5, -1.5, 0.0001, 1234.5, -1234.5]
/** A day of every month and every weekday, with a time. */
const DATES = Array.from({ length: 28 }, (_, index) => 45_000.9999 + index * 27)

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * array.length)
  more.set(array)
  return more
}
