import type { DateOrder, TableCell } from '@filewright/documents'

const DATE =
  /^\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T,]+(\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?))?\s*$/
const MOST_CHARACTERS = 40

/** A date that SQLite's own functions do not read, such as 31.12.2025 or 12/31/2025 10:30. */
export interface WrittenDate {
  readonly first: number
  readonly second: number
  readonly year: number
  readonly time?: string
  /** Dots mean that the day comes first; other marks say nothing. */
  readonly isDotted: boolean
}

export function parseDate(text: string): WrittenDate | undefined {
  const found = text.length <= MOST_CHARACTERS ? DATE.exec(text) : null
  if (!found) return undefined
  const [first, second, year] = [Number(found[1]), Number(found[3]), Number(found[4])]
  const isPossible = first >= 1 && second >= 1 && Math.min(first, second) <= 12
  if (!isPossible || Math.max(first, second) > 31) return undefined
  return { first, second, year, isDotted: found[2] === '.', ...(found[5] && { time: found[5] }) }
}

/** Which comes first, where the date itself leaves no doubt. */
export function orderOf({ first, second, isDotted }: WrittenDate): DateOrder | undefined {
  if (first > 12) return 'dmy'
  if (second > 12) return 'mdy'
  return isDotted ? 'dmy' : undefined
}

/** As ISO 8601, which sorts and which date functions read; null for what is no date, or one that may mean two days. */
export function toIsoDate(value: TableCell, order?: DateOrder): string | null {
  if (typeof value !== 'string') return null
  if (/^\s*\d{4}-\d\d-\d\d/.test(value)) return value.trim()
  const written = parseDate(value)
  const known = written && (orderOf(written) ?? order)
  if (!written || !known || (order !== undefined && known !== order)) return null
  const { first, second, year, time } = written
  const [day, month] = known === 'dmy' ? [first, second] : [second, first]
  const padded = [month, day].map(part => String(part).padStart(2, '0'))
  const date = [String(year), ...padded].join('-')
  const isDay = new Date(`${date}T00:00:00Z`).getUTCDate() === day
  if (!isDay) return null
  return time === undefined ? date : `${date} ${time.replace(/^\d:/, '0$&')}`
}
