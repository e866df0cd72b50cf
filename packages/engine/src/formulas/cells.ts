import type { EvaluationSheet } from '@filewright/documents'
import type { Scalar } from './functions/values.ts'

/** What the library's cells hold: a value and its kind. */
export interface StoredCell {
  readonly v: number | string
  readonly t: number
  readonly f?: string
}

const TEXT = 1
const NUMBER = 2
const TRUTH = 3

/** The cells of a sheet, by column, as the library and our own functions read them. Rows and columns count from 0. */
export class Cells {
  readonly #columns: ((Scalar | undefined)[] | undefined)[] = []

  constructor({ places, values }: EvaluationSheet) {
    for (const [index, value] of values.entries())
      this.set(places[2 * index]! - 1, places[2 * index + 1]! - 1, value)
  }

  get(row: number, column: number): Scalar {
    return this.#columns[column]?.[row] ?? null
  }

  set(row: number, column: number, value: Scalar): void {
    this.column(column)[row] = value
  }

  /** By row; empty cells may be missing. */
  column(column: number): (Scalar | undefined)[] {
    let own = this.#columns[column]
    if (!own) {
      own = []
      this.#columns[column] = own
    }
    return own
  }

  /** For the library. */
  getValue(row: number, column: number): StoredCell | undefined {
    const value = this.#columns[column]?.[row]
    return value === undefined || value === null ? undefined : toStoredCell(value)
  }
}

function toStoredCell(value: Exclude<Scalar, null>): StoredCell {
  if (typeof value === 'number') return { v: value, t: NUMBER }
  if (typeof value === 'boolean') return { v: value ? 1 : 0, t: TRUTH }
  // an empty text is no empty cell: with a formula the library sees it
  if (value === '') return { v: value, t: TEXT, f: '=""' }
  return { v: typeof value === 'string' ? value : value.error, t: TEXT }
}
