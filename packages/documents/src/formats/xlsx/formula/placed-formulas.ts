import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { type CellAddress, cellName, contains, parseBox } from '../cell/address.ts'
import type { CellFormula } from '../cell/cells.ts'
import { dynamicIndex } from '../parts/dynamic-arrays.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { shiftFormula } from '../places/rewrites.ts'
import type { CellInput } from './values.ts'

/** What its reader has to know of a formula that computes over ranges. */
export type ArrayHint = 'fills-cells' | 'first-value-only' | 'plain-only'

/** Formulas in the cells of a sheet: every operation that writes one asks here how it is stored. */
export class PlacedFormulas {
  readonly #book: Book
  readonly #sheet: Sheet
  #merges: readonly Box[] | undefined
  #tables: readonly Box[] | undefined

  constructor(book: Book, sheet: Sheet) {
    this.#book = book
    this.#sheet = sheet
  }

  /** So that it computes there as if a person had typed it. */
  typed(
    at: CellAddress,
    { formula, array }: Pick<CellInput, 'formula' | 'array'>,
  ): { readonly formula?: CellFormula; readonly hint?: ArrayHint } {
    if (!formula || array === undefined) return { ...(formula && { formula }) }
    const metadata = this.#isMerged(at) ? undefined : dynamicIndex(this.#book.part)
    if (array === 'many' && (metadata === undefined || this.#isInTable(at)))
      return { formula, hint: 'first-value-only' }
    if (metadata === undefined) return { formula, hint: 'plain-only' }
    const ref = cellName(at.row, at.column)
    const stored: CellFormula = { ...formula, kind: 'array', ref, metadata }
    return { formula: stored, ...(array === 'many' && { hint: 'fills-cells' }) }
  }

  /** The formula of another cell, as it reads there; undefined: it fills several cells. */
  copied(
    at: CellAddress,
    { row, column, formula }: CellAddress & { readonly formula: CellFormula },
    origin: 'here' | 'other workbook' = 'here',
  ): CellFormula | undefined {
    if (fillsSeveral(formula)) return undefined
    const text = shiftFormula(formula.text, at.row - row, at.column - column)
    if (formula.kind !== 'array' || this.#isMerged(at)) return { text, kind: 'normal' }
    const isDynamic = formula.metadata !== undefined
    const metadata =
      isDynamic && origin !== 'here' ? dynamicIndex(this.#book.part) : formula.metadata
    const ref = cellName(at.row, at.column)
    return { text, kind: 'array', ref, ...(metadata !== undefined && { metadata }) }
  }

  #isMerged({ row, column }: CellAddress): boolean {
    if (!this.#merges) {
      const merges = this.#book.mergesOf(this.#sheet)
      this.#merges = merges.ok ? merges.value : []
    }
    return this.#merges.some(box => contains(box, row, column))
  }

  #isInTable({ row, column }: CellAddress): boolean {
    this.#tables ??= tablesOf(this.#book.part, this.#sheet).flatMap(
      ({ ref }) => parseBox(ref) ?? [],
    )
    return this.#tables.some(box => contains(box, row, column))
  }
}

/** An array of one cell is a formula like any other; a data table belongs to its inputs. */
function fillsSeveral({ kind, ref }: CellFormula): boolean {
  return kind === 'dataTable' || (kind === 'array' && (ref === undefined || ref.includes(':')))
}
