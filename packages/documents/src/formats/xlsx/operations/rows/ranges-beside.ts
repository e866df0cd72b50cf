import { type Box, counted } from '@filewright/protocol'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName } from '../../cell/address.ts'
import { joinPlaces } from '../../declared/join-places.ts'
import { type LineShift, lastLine } from '../../places/line-shift.ts'
import { listed } from '../write-hints.ts'

const SHOWN = 4
const CELL = /![A-Z]+\d+$/

/**
 * Ranges of formulas at lines that are inserted. The new lines are not in those that end there, or begin there below a
 * header, and they are in those that go on at both sides.
 */
export class RangesBeside {
  readonly #book: Book
  readonly #sheet: Sheet
  readonly #lines: LineShift
  readonly #at: number
  readonly #found = new Map<string, string>()
  readonly #around = new Set<string>()

  constructor(book: Book, sheet: Sheet, lines: LineShift) {
    this.#book = book
    this.#sheet = sheet
    this.#lines = lines
    this.#at = lines.runs[0]!.at
  }

  see(owner: string, box: Box): void {
    const [first, last] = this.#isRow ? [box.top, box.bottom] : [box.left, box.right]
    if (first === last) return
    const isWhole = first === 1 && last === lastLine(this.#lines)
    const isCell = CELL.test(owner)
    if (isCell && first < this.#at && last >= this.#at && !isWhole) this.#around.add(owner)
    if (this.#found.has(owner)) return
    if (last === this.#at - 1 || (first === this.#at && this.#isBelowHeader(box)))
      this.#found.set(owner, boxName(box))
  }

  warnings(): readonly string[] {
    const found = [...this.#found]
    if (found.length === 0) return []
    const { axis, runs } = this.#lines
    const shown = found.slice(0, SHOWN).map(([owner, range]) => `${owner} (${range})`)
    const more = found.length - shown.length
    const line = runs[0]!.count === 1 ? `new ${axis} is` : `new ${axis}s are`
    return [
      `The ${line} not in the ranges that end beside ${runs[0]!.count === 1 ? 'it' : 'them'}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}; change these if they should count ${runs[0]!.count === 1 ? 'it' : 'them'}${axis === 'row' ? ', or use append_rows, which extends them' : ''}.`,
    ]
  }

  /** A total may count a subtotal twice that comes to stand among what it adds. */
  included(): string {
    const places = joinPlaces([...this.#around])
    if (places.length === 0) return ''
    const { axis, runs } = this.#lines
    const one = this.#around.size === 1
    const lines = `the new ${axis}${runs[0]!.count === 1 ? '' : 's'}`
    return ` ${counted(this.#around.size, 'formula')} now ${one ? 'includes' : 'include'} ${lines}: ${listed(places)}.`
  }

  get #isRow(): boolean {
    return this.#lines.axis === 'row'
  }

  #isBelowHeader(box: Box): boolean {
    const line = this.#at - 1
    if (line === 0) return false
    const header = this.#isRow
      ? { ...box, top: line, bottom: line }
      : { ...box, left: line, right: line }
    const cells = this.#book.values.in(this.#sheet, header)
    return cells.ok && [...cells.value.values()].some(({ content }) => content.type === 'text')
  }
}
