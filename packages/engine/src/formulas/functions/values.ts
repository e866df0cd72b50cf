import type { CellValue } from '@filewright/documents'

/** A value of a cell or of a part of a formula; null: an empty cell. */
export type Scalar = CellValue | null

/** Several values: cells of a sheet, or a list that the formula holds or computed. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  /** From 0. */
  at(row: number, column: number): Scalar
  /** Cells of a sheet: what they hold counts otherwise than what the formula says itself. */
  readonly isReference: boolean
}

export type Argument = Scalar | Matrix

/** What a formula gives is not certain: it then has no value. */
export class Uncertain extends Error {}

/** The formula gives an error value. */
export class Fault extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export const fail = (code: '#VALUE!' | '#NUM!' | '#DIV/0!' | '#N/A' | '#REF!'): never => {
  throw new Fault(code)
}

export function isMatrix(value: Argument | undefined): value is Matrix {
  return typeof value === 'object' && value !== null && 'at' in value
}

export function isError(value: Scalar): value is { readonly error: string } {
  return typeof value === 'object' && value !== null
}

/** In rows from the top; stops when the visitor answers false. */
export function visit(grid: Matrix, visitor: (value: Scalar) => void): void {
  for (let row = 0; row < grid.rows; row++)
    for (let column = 0; column < grid.columns; column++) visitor(grid.at(row, column))
}

export function matrixOf(rows: number, columns: number, values: readonly Scalar[]): Matrix {
  return { rows, columns, isReference: false, at: (row, column) => values[row * columns + column]! }
}

/** The values of cells in one row or column. */
export function listOf(argument: Argument): Scalar[] {
  if (!isMatrix(argument)) return [argument]
  const found: Scalar[] = []
  visit(argument, value => {
    found.push(value)
  })
  return found
}

const PLAIN = /^ *[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)? *$/i
const ISO_DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTH = /(^|[^a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i
const DIGITS_OF_SORTS = /^[\s\d.,:/%()+\-eE\p{Sc}]+(am|pm)?\s*$/iu
const LONGEST = 40

/** The number that a text is to Excel; undefined: none. Throws where that depends on the language or the year. */
export function numberOfText(text: string): number | undefined {
  if (PLAIN.test(text)) return finite(Number(text))
  const [, year, month, day] = ISO_DAY.exec(text) ?? []
  if (year !== undefined) return dayOfDate(Number(year), Number(month), Number(day))
  if (!/\d/.test(text) || text.length > LONGEST) return undefined
  if (DIGITS_OF_SORTS.test(text) || MONTH.test(text))
    throw new Uncertain('a text that may be a number or a date')
  return undefined
}

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)
const AFTER_LEAP = 61 // before it Excel counts a leap day that never was

function dayOfDate(year: number, month: number, day: number): number | undefined {
  const time = Date.UTC(year, month - 1, day)
  const date = new Date(time)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const serial = (time - FIRST_DAY) / DAY_MS
  if (serial < AFTER_LEAP) throw new Uncertain('a day before March 1900')
  return serial
}

/** A finite number; too large a one is an error. */
export function finite(value: number): number {
  return Number.isFinite(value) ? value : fail('#NUM!')
}

/** As a single value where a number is expected. */
export function toNumber(value: Scalar | undefined): number {
  if (typeof value === 'number') return value
  if (value === null || value === undefined) return 0
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'object') throw new Fault(value.error)
  return numberOfText(value) ?? fail('#VALUE!')
}

/** As a single value where a whole number is expected: what is behind the point does not count. */
export function toWhole(value: Scalar | undefined): number {
  return Math.trunc(toNumber(value))
}

/** As a single value where TRUE or FALSE is expected. */
export function toTruth(value: Scalar | undefined): boolean {
  if (typeof value !== 'string') return toNumber(value) !== 0
  if (/^true$/i.test(value)) return true
  return /^false$/i.test(value) ? false : fail('#VALUE!')
}

/** The value of an argument that is to be single. */
export function one(argument: Argument | undefined): Scalar {
  if (argument === undefined) return null
  if (!isMatrix(argument)) return argument
  if (argument.rows !== 1 || argument.columns !== 1)
    throw new Uncertain('several values where one is expected')
  return argument.at(0, 0)
}
