import { decodeText } from '../../../opc/index.ts'
import {
  type CellScan,
  T_BOOLEAN,
  T_DATE,
  T_ERROR,
  T_INLINE,
  T_NUMBER,
  T_SHARED,
} from './cell-scan.ts'
import { decodeEscapes, readRichText, type SharedStrings } from './strings.ts'
import { DAYS_1904 } from './styles.ts'

/** The content of a cell, or what its formula gives. */
export type CellContent =
  | {
      readonly type: 'number'
      readonly value: number
      /** Stored as a date, so it is one whatever its format. */
      readonly isDate?: boolean
    }
  | {
      readonly type: 'text'
      readonly value: string
      readonly runs?: readonly TextRun[]
      /** Its runs as XML, where they come from the file. */
      readonly xml?: string
    }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'error'; readonly value: string }
  | { readonly type: 'empty'; readonly value: null }

export interface TextRun {
  readonly text: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly color?: string
}

export interface CellFormula {
  /** Without `=`; a shared formula as it reads in this cell. */
  readonly text: string
  readonly kind: 'normal' | 'shared' | 'array' | 'dataTable'
  /** The cells that an array or data table fills; on its first cell only. */
  readonly ref?: string
  /** The cell's `cm`: the kind of array Excel takes it for. */
  readonly metadata?: number
}

/** A cell as it is written. What a formula gives is not in it: only the values of the book know that. */
export interface CellData {
  readonly row: number
  readonly column: number
  readonly style: number
  /** Empty where there is a formula. */
  readonly content: CellContent
  readonly formula?: CellFormula
  /** What the file stores for the formula, be it right by now or not: for the file's side of a change only. */
  readonly stored?: CellContent
}

/** A cell and what it shows now, which is the result where it has a formula. */
export interface CellNow extends CellData {
  /** What it shows is not known: an edit changed what it reads, or it was never computed. */
  readonly isStale: boolean
}

export const EMPTY_CONTENT: CellContent = { type: 'empty', value: null }

/** The value as stored; a broken index or number is an error value, never a throw. */
export function contentOf(cell: CellScan, strings: SharedStrings, is1904: boolean): CellContent {
  if (cell.type === T_INLINE && cell.inlineStart >= 0)
    return { type: 'text', value: readRichText(cell.bytes, cell.inlineStart, cell.inlineEnd) }
  if (cell.valueStart < 0 || cell.valueTextEnd === cell.valueText)
    return cell.type > T_SHARED &&
      cell.type !== T_BOOLEAN &&
      cell.valueStart >= 0 &&
      cell.formulaStart >= 0
      ? { type: 'text', value: '' }
      : EMPTY_CONTENT
  if (cell.type === T_NUMBER) return toNumber(numberText(cell))
  const raw = cell.rawValue()
  if (cell.type === T_SHARED) {
    const text = strings.get(Number(raw))
    return text === undefined ? { type: 'error', value: '#VALUE!' } : { type: 'text', value: text }
  }
  if (cell.type === T_BOOLEAN)
    return { type: 'boolean', value: raw.trim() === '1' || raw.trim() === 'true' }
  if (cell.type === T_ERROR) return { type: 'error', value: raw }
  if (cell.type === T_DATE) return toSerial(raw, is1904)
  return { type: 'text', value: decodeEscapes(raw) }
}

function numberText(cell: CellScan): string {
  return decodeText(cell.bytes, cell.valueText, cell.valueTextEnd)
}

function toNumber(text: string): CellContent {
  const value = Number(text)
  if (Number.isNaN(value)) return { type: 'error', value: '#VALUE!' }
  return Number.isFinite(value) ? { type: 'number', value } : { type: 'error', value: '#NUM!' }
}

function toSerial(raw: string, is1904: boolean): CellContent {
  const days = daysOfDuration(raw)
  if (days !== undefined) return { type: 'number', value: days }
  const serial = serialOfDate(raw, is1904)
  return serial === undefined
    ? { type: 'text', value: raw }
    : { type: 'number', value: serial, isDate: true }
}

/** `PT36H30M0.000S`: the form of a time span in strict workbooks. */
function daysOfDuration(text: string): number | undefined {
  const match = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    text.trim(),
  )
  if (!match) return undefined
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = match
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (sign ? -1 : 1) * (Number(days) + total / 86_400)
}

const DAY_MS = 86_400_000
const EPOCH = Date.UTC(1899, 11, 30)

/** `2026-01-31`, `2026-01-31T08:30`, `08:30:00` → the workbook's day number. */
export function serialOfDate(text: string, is1904: boolean): number | undefined {
  const match =
    /^(?:(\d{4})-(\d{2})-(\d{2}))?(?:[T ]?(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?Z?$/.exec(
      text.trim(),
    )
  if (!match || text.trim() === '') return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) >= 60) return undefined
  const fraction = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) / 86_400
  if (year === undefined) return fraction
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const back = new Date(ms)
  if (back.getUTCMonth() !== Number(month) - 1 || back.getUTCDate() !== Number(day))
    return undefined
  const days = (ms - EPOCH) / DAY_MS
  if (is1904) return days - DAYS_1904 >= 0 ? days - DAYS_1904 + fraction : undefined
  // Day 60 is 29 February 1900, which never existed; earlier days count one less.
  const serial = days < 61 ? days - 1 : days
  return serial >= 0 ? serial + fraction : undefined
}

/** The day number as an ISO date, with a time where it has one; undefined outside the calendar. */
export function dateOfSerial(serial: number, is1904: boolean): string | undefined {
  const days = is1904 ? serial + DAYS_1904 : serial < 60 ? serial + 1 : serial
  if (!(serial >= 0 && days < 2_958_466)) return undefined
  const seconds = Math.round((days - Math.floor(days)) * 86_400)
  const date = new Date(EPOCH + Math.floor(days) * DAY_MS + seconds * 1000).toISOString()
  if (Math.floor(serial) === 0 && !is1904) return date.slice(11, 19)
  return seconds === 0 ? date.slice(0, 10) : date.slice(0, 19)
}
