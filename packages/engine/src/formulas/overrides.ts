import type { CellValue } from '@filewright/documents'

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
  /** The library knows no wildcards in it. */
  SEARCH: (wanted, text, from) =>
    typeof wanted === 'string' && /[?*~]/.test(wanted) && typeof text === 'string'
      ? searchPattern(wanted, text, typeof from === 'number' ? from : 1)
      : undefined,
  /** The library goes on into the next month where one is shorter. */
  EDATE: (day, months) =>
    typeof day === 'number' && typeof months === 'number' ? monthsAfter(day, months) : undefined,
}

const VALUE_ERROR = { error: '#VALUE!' }

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

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)
const AFTER_LEAP = 61 // before it the day numbers are one off, for a leap day that never was

function monthsAfter(day: number, months: number): CellValue | undefined {
  if (day < AFTER_LEAP) return undefined
  const date = new Date(FIRST_DAY + Math.floor(day) * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + Math.trunc(months)]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const moved = Date.UTC(year, month, Math.min(date.getUTCDate(), last))
  const result = (moved - FIRST_DAY) / DAY_MS
  return result < AFTER_LEAP ? undefined : result
}
