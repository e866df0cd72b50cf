import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellName, contains, parseBox, splitSheet } from '../cell/address.ts'
import type { CellContent } from '../cell/cells.ts'
import { type ListValidation, listValidationsOf } from '../parts/list-validations.ts'
import { listed } from './write-hints.ts'

const MOST_VALUES = 10_000

/** Notes values that the lists of their cells do not have: a person could not type them there. */
export class AllowedValues {
  readonly #book: Book
  readonly #sheet: Sheet
  readonly #lists: readonly ListValidation[]
  readonly #written = new Map<ListValidation, WrittenCell[]>()

  private constructor(book: Book, sheet: Sheet, lists: readonly ListValidation[]) {
    this.#book = book
    this.#sheet = sheet
    this.#lists = lists
  }

  /** Undefined for a sheet without lists, as most are. */
  static of(book: Book, sheet: Sheet): AllowedValues | undefined {
    const xml = sheet.xml()
    const lists = xml.ok ? listValidationsOf(xml.value) : []
    return lists.length > 0 ? new AllowedValues(book, sheet, lists) : undefined
  }

  note(cell: WrittenCell): void {
    for (const list of this.#lists) {
      if (!list.boxes.some(box => contains(box, cell.row, cell.column))) continue
      const found = this.#written.get(list)
      if (found) found.push(cell)
      else this.#written.set(list, [cell])
    }
  }

  /** Read after the writes: the list may be among them. */
  warnings(): string[] {
    return [...this.#written].flatMap(([list, cells]) => {
      const allowed = this.#read(list.formula)
      const forbidden = allowed ? cells.filter(({ content }) => !allowed.has(keyOf(content))) : []
      if (!allowed || forbidden.length === 0) return []
      const names = forbidden.map(describe)
      return `Written although the list of ${list.ref} does not have ${names.length === 1 ? 'it' : 'them'}: ${listed(names)}. It allows ${listed([...allowed])}.`
    })
  }

  /** Undefined where the list is computed, or depends on the cell. */
  #read(formula: string): ReadonlySet<string> | undefined {
    const text = this.#book.rewriteFormula(formula, this.#sheet).trim().replace(/^=/, '')
    const quoted = /^"((?:[^"]|"")*)"$/.exec(text)?.[1]
    if (quoted !== undefined)
      return new Set(
        quoted
          .replaceAll('""', '"')
          .split(',')
          .map(value => value.trim()),
      )
    const name = this.#book.definedNames.find(own => own.name.toLowerCase() === text.toLowerCase())
    return this.#cells(name ? name.text.replace(/^=/, '') : text)
  }

  #cells(reference: string): ReadonlySet<string> | undefined {
    const { sheet: named, address } = splitSheet(reference)
    const box = /^\$[A-Z]+\$\d+(:\$[A-Z]+\$\d+)?$/i.test(address) ? parseBox(address) : undefined
    const sheet = named === undefined ? this.#sheet : this.#book.sheet(named)
    if (!box || !sheet || sizeOf(box) > MOST_VALUES) return undefined
    const cells = this.#book.values.in(sheet, box)
    const list = cells.ok ? [...cells.value.values()] : []
    const isKnown = cells.ok && !list.some(({ isStale }) => isStale)
    return isKnown ? new Set(list.map(own => keyOf(own.content))) : undefined
  }
}

interface WrittenCell {
  readonly row: number
  readonly column: number
  readonly content: CellContent
}

function describe({ row, column, content }: WrittenCell): string {
  return `${cellName(row, column)} (${JSON.stringify(content.value)})`
}

function sizeOf({ top, left, bottom, right }: Box): number {
  return (bottom - top + 1) * (right - left + 1)
}

/** A list of text allows the number that reads the same. */
function keyOf({ type, value }: CellContent): string {
  if (type === 'boolean') return value ? 'TRUE' : 'FALSE'
  return String(value ?? '')
}
