/** `0`, `0.00`, `#,##0`, `#,##0.00`: the most common number formats. */
const PLAIN = /^(0|#,##0)(?:\.(0+))?$/
const LARGEST = 1e13 // below it, every digit shown is one of the 15 significant ones

/**
 * A number in one of the plainest formats, digit for digit as numfmt shows it; undefined for every other format. Before
 * its first number, numfmt compiles for longer than it takes to read a page of cells.
 */
export function showPlain(value: number, pattern: string): string | undefined {
  const match = PLAIN.exec(pattern)
  if (!match || !(Math.abs(value) < LARGEST)) return undefined
  const places = match[2]?.length ?? 0
  const [mantissa, exponent] = Math.abs(value).toExponential(14).split('e') as [string, string]
  const digits = mantissa.replace('.', '')
  const count = Number(exponent) + 1 + places
  const cut = count <= 0 ? '' : digits.slice(0, count).padEnd(count, '0')
  const isUp = count >= 0 && count < digits.length && digits.charCodeAt(count) >= 53
  const shown = (isUp ? plusOne(cut) : cut).padStart(places + 1, '0')
  const whole = shown.slice(0, shown.length - places)
  const grouped = match[1] === '0' ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = value < 0 && /[1-9]/.test(shown) ? '-' : ''
  return `${sign}${grouped}${places > 0 ? `.${shown.slice(-places)}` : ''}`
}

export function isPlainFormat(pattern: string): boolean {
  return PLAIN.test(pattern)
}

function plusOne(digits: string): string {
  let at = digits.length - 1
  while (at >= 0 && digits[at] === '9') at--
  const zeros = '0'.repeat(digits.length - at - 1)
  return at < 0 ? `1${zeros}` : `${digits.slice(0, at)}${Number(digits[at]) + 1}${zeros}`
}
