import { isValidFormat } from 'numfmt'

const MOST_CHARACTERS = 255 // Excel: Format Cells, Custom

const NAMES: Readonly<Record<string, string>> = {
  currency: '"$"#,##0.00',
  money: '"$"#,##0.00',
  accounting: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  percent: '0%',
  percentage: '0.0%',
  number: '#,##0.00',
  integer: '0',
  date: 'yyyy-mm-dd',
  time: 'hh:mm',
  datetime: 'yyyy-mm-dd hh:mm',
  text: '@',
  scientific: '0.00E+00',
  standard: 'General',
}

/** Why Excel would refuse a number format; undefined: it takes it. */
export function whyNotFormat(pattern: string): string | undefined {
  const known = NAMES[pattern.toLowerCase()]
  if (known && Object.hasOwn(NAMES, pattern.toLowerCase())) return `send ${JSON.stringify(known)}`
  if (pattern === '') return 'it is empty; "General" takes a format away'
  if (pattern.length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters`
  if ([...pattern].some(letter => letter < ' ')) return 'it has a control character'
  if (!isValid(pattern)) return 'such as "0.00", "#,##0", "yyyy-mm-dd" or "0.0%"'
  const bare = pattern
    .replace(/"[^"]*"|[\\_*]./g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/general|am\/pm|a\/p/gi, '')
  const letters = /[^\W\d_ymdhseebgn]+/i.exec(bare)?.[0]
  return letters && `words stand in quotes, such as 0 ${JSON.stringify(letters)}`
}

function isValid(pattern: string): boolean {
  try {
    return isValidFormat(pattern)
  } catch {
    return false
  }
}
