import type { TableCell } from '@filewright/documents'

const CODES = 'EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|NZD|CNY|INR|BRL|ZAR|TRY|MXN'
const UNIT = `(?:\\p{Sc}|%|(?:US|CA|A)\\$|${CODES})`
const SIGN = '[-+−]'
const AMOUNT = new RegExp(
  `^(\\()?\\s*(${SIGN})?\\s*(${UNIT})?\\s*(${SIGN})?\\s*(\\d[\\d.,'’ \u00a0\u202f]*|[.,]\\d+)\\s*(${UNIT})?\\s*(${SIGN})?\\s*\\)?$`,
  'u',
)
const MOST_CHARACTERS = 40

/** A number with its currency or its percent sign; without them, a table has it as a number. */
export function isAmount(text: string): boolean {
  const found = text.length <= MOST_CHARACTERS ? AMOUNT.exec(text.trim()) : null
  return found !== null && (found[3] ?? found[6]) !== undefined
}

/** The character before the decimals, where a text leaves no doubt. */
export function decimalIn(text: string): '.' | ',' | undefined {
  const digits = AMOUNT.exec(text.trim())?.[5]?.trim() ?? ''
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  if (point < 0 && comma < 0) return undefined
  const mark = point >= 0 ? '.' : ','
  const [whole = '', part = '', ...more] = digits.split(mark)
  if (more.length > 0) return mark === '.' ? ',' : '.' // it divides thousands
  return part.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? undefined : mark
}

/**
 * "$13,005.00", "1.234,50 €", "(120)" or "45 %" as a number; null for anything else. `1.234` is read with a decimal point
 * unless the comma is said to be the decimal mark.
 */
export function toNumber(value: TableCell, decimal?: '.' | ','): number | null {
  if (typeof value === 'number') return value
  const found = typeof value === 'string' ? AMOUNT.exec(value.trim()) : null
  if (!found) return null
  const mark = decimal ?? decimalIn(found[0]) ?? '.'
  const digits = found[5]!.replace(mark === '.' ? /[^\d.]/g : /[^\d,]/g, '').replace(',', '.')
  const number = Number(digits)
  if (!Number.isFinite(number)) return null
  const isNegative = found[1] !== undefined || [2, 4, 7].some(at => /[-−]/.test(found[at] ?? ''))
  return isNegative ? -number : number
}
