import type { Box } from '@filewright/protocol'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName } from '../../cell/address.ts'
import type { LineShift } from '../../shift/line-shift.ts'

const SHOWN = 4

/** Ranges that end where lines are inserted, or begin there below a header: the new lines are not in them. */
export class RangesBeside {
  readonly #book: Book
  readonly #sheet: Sheet
  readonly #lines: LineShift
  readonly #at: number
  readonly #found = new Map<string, string>()

  constructor(book: Book, sheet: Sheet, lines: LineShift) {
    this.#book = book
    this.#sheet = sheet
    this.#lines = lines
    this.#at = lines.runs[0]!.at
  }

  see(owner: string, box: Box): void {
    const [first, last] = this.#isRow ? [box.top, box.bottom] : [box.left, box.right]
    if (first === last || this.#found.has(owner)) return
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
