import type { CellValue } from '@filewright/documents'
import { refuseNoise, round, textOfFixed } from './rounding.ts'

/** Functions that the library computes wrongly, for single values; undefined leaves the call to the library. */
export const OVERRIDES: Readonly<
  Record<string, (...given: readonly (CellValue | null)[]) => CellValue | undefined>
> = {
  /** The library takes any text for true. */
  IF: condition => truthOfText(condition),
  IFS: (...given) =>
    given
      .filter((_, index) => index % 2 === 0)
      .map(truthOfText)
      .find(Boolean),
  NOT: condition => truthOfText(condition),
  /** The library takes an empty text for zero. */
  PLUS: noEmptyText,
  MINUS: noEmptyText,
  MULTIPLY: noEmptyText,
  DIVIDED: noEmptyText,
  /** The library takes 0 to the power of 0 for 1, as LibreOffice does, and a division by zero for a number too large. */
  POWER: (base, exponent) => noEmptyText(base, exponent) ?? powerOfZero(base, exponent),
  /** The library shows all digits of a number. */
  CONCATENATE: joined,
  CONCAT: joined,
  /** The library knows no wildcards in it. */
  SEARCH: (wanted, text, from) =>
    typeof wanted === 'string' && /[?*~]/.test(wanted) && typeof text === 'string'
      ? searchPattern(wanted, text, typeof from === 'number' ? from : 1)
      : undefined,
  /** The library, and each program, has its own way with the last digits of a number. */
  ROUND: round,
  TEXT: textOfFixed,
  FIXED: (value, digits = 2) => {
    if (typeof value === 'number' && typeof digits === 'number') round(value, digits)
    if (typeof value === 'number' && Math.abs(value) * 10 ** Number(digits) >= 1e15)
      throw new RangeError('it has more digits than programs show')
    return undefined
  },
  MOD: (value, by) => refuseNoise(value, by, { at: 0 }),
  QUOTIENT: (value, by) => refuseNoise(value, by, { at: 0 }),
  MROUND: (value, step) => refuseNoise(value, step, { at: 0.5 }),
  /** The library rounds some negative numbers down. */
  TRUNC: (value, digits = 0) =>
    typeof value === 'number' && typeof digits === 'number' ? truncated(value, digits) : undefined,
  /** The library goes on into the next month where one is shorter. */
  EDATE: (day, months) =>
    typeof day === 'number' && typeof months === 'number' ? monthsAfter(day, months) : undefined,
  /** The library takes away one month too many for a negative fraction. */
  EOMONTH: (day, months) =>
    typeof day === 'number' && typeof months === 'number' ? endOfMonth(day, months) : undefined,
}

const VALUE_ERROR = { error: '#VALUE!' }

/** Functions that read some of their arguments as text: there a number counts as Excel would show it. */
export const TEXT_PLACES: Readonly<Record<string, readonly number[]>> = {
  CLEAN: [0],
  CODE: [0],
  EXACT: [0, 1],
  FIND: [0, 1],
  LEFT: [0],
  LEN: [0],
  LOWER: [0],
  MID: [0],
  PROPER: [0],
  REPLACE: [0, 3],
  REPT: [0],
  RIGHT: [0],
  SEARCH: [0, 1],
  SUBSTITUTE: [0, 1, 2],
  TRIM: [0],
  UPPER: [0],
}

const SHOWN_DIGITS = 15

/** A number as Excel joins it to a text. Throws where programs differ: the cell then has no value. */
export function textOfNumber(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) throw new RangeError('it is shown by exponent')
  return String(Number(value.toPrecision(SHOWN_DIGITS)))
}

function joined(...given: readonly (CellValue | null)[]): CellValue | undefined {
  if (given.some(own => typeof own === 'object' && own !== null)) return undefined
  return given
    .map(own => {
      if (typeof own === 'boolean') return own ? 'TRUE' : 'FALSE'
      return typeof own === 'number' ? textOfNumber(own) : (own ?? '')
    })
    .join('')
}

function noEmptyText(...given: readonly (CellValue | null)[]): CellValue | undefined {
  const hasError = given.some(own => typeof own === 'object' && own !== null)
  return given.includes('') && !hasError ? VALUE_ERROR : undefined
}

function powerOfZero(
  base: CellValue | null | undefined,
  exponent: CellValue | null | undefined,
): CellValue | undefined {
  if (base !== null && base !== 0 && base !== false) return undefined
  const by = exponent === null ? 0 : Number(exponent)
  if (by < 0) return { error: '#DIV/0!' }
  return by === 0 ? { error: '#NUM!' } : undefined
}

function truthOfText(condition: CellValue | null | undefined): CellValue | undefined {
  return typeof condition === 'string' && !/^(true|false)$/i.test(condition)
    ? VALUE_ERROR
    : undefined
}

function searchPattern(wanted: string, text: string, from: number): CellValue {
  const pattern = wanted.replace(/~([?*~])|([?*])|[^?*~]|~/gs, (own, escaped, wild) => {
    if (wild === '?') return '[^]'
    if (wild === '*') return '[^]*?'
    return (escaped ?? own).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
  })
  const at = text.slice(from - 1).search(new RegExp(pattern, 'i'))
  return at < 0 ? VALUE_ERROR : at + from
}

/** The same digits as a person would cut off, whatever the number is in binary. */
function truncated(value: number, digits: number): CellValue | undefined {
  const places = Math.trunc(digits)
  if (places < 0 || places > 12 || Math.abs(value) >= 1e9) return undefined
  const scaled = Number((Math.abs(value) * 10 ** places).toPrecision(SHOWN_DIGITS))
  return (Math.sign(value) * Math.floor(scaled)) / 10 ** places
}

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)
const AFTER_LEAP = 61 // before it the day numbers are one off, for a leap day that never was

function endOfMonth(day: number, months: number): CellValue | undefined {
  if (day < AFTER_LEAP) return undefined
  const date = new Date(FIRST_DAY + Math.floor(day) * DAY_MS)
  const month = date.getUTCMonth() + Math.trunc(months) + 1
  const result = (Date.UTC(date.getUTCFullYear(), month, 0) - FIRST_DAY) / DAY_MS
  return result < AFTER_LEAP ? undefined : result
}

function monthsAfter(day: number, months: number): CellValue | undefined {
  if (day < AFTER_LEAP) return undefined
  const date = new Date(FIRST_DAY + Math.floor(day) * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + Math.trunc(months)]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const moved = Date.UTC(year, month, Math.min(date.getUTCDate(), last))
  const result = (moved - FIRST_DAY) / DAY_MS
  return result < AFTER_LEAP ? undefined : result
}
