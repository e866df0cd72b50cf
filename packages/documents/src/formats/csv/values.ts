import type { TableCell } from '../../format.ts'

export type ColumnType = 'number' | 'date' | 'boolean' | 'text' | 'empty'

const TYPES: readonly (readonly [ColumnType, RegExp])[] = [
  [
    'number',
    /^(?=[+-]?[.,]?\d)[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(?:[,.'\u00a0 ]\d{3})+)?([.,]\d+)?(e[+-]?\d+)?%?$/i,
  ], // 007 is a code, not a number
  [
    'date',
    /^(\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4})$/,
  ],
  ['boolean', /^(true|false|yes|no)$/i],
]

/** What all the cells of a column are. */
export function typeOf(cells: readonly string[]): ColumnType {
  const given = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  if (given.length === 0) return 'empty'
  const known = TYPES.find(([, pattern]) => given.every(cell => pattern.test(cell)))
  return known ? known[0] : 'text'
}

/** The character before the decimals; a file has one convention. */
export type Decimal = '.' | ','

const POINTED = /^-?(\d{1,3}(,\d{3})+|\d+)?\.(\d{1,2}|\d{4,})$|^-?\d{1,3}(,\d{3})+\.\d+$/
const COMMAED = /^-?(\d{1,3}(\.\d{3})+|\d+)?,(\d{1,2}|\d{4,})$|^-?\d{1,3}(\.\d{3})+,\d+$/

/** From cells that can only be meant one way: `1.234` alone says nothing, `1.5` and `1.234,5` do. */
export function decimalOf(rows: readonly (readonly string[])[]): Decimal {
  let points = 0
  let commas = 0
  for (const row of rows)
    for (const cell of row) {
      if (POINTED.test(cell)) points++
      else if (COMMAED.test(cell)) commas++
    }
  return commas > points ? ',' : '.'
}

const PLAIN = {
  '.': /^-?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?|\.\d+)(?:e[+-]\d+)?$/i,
  ',': /^-?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?|,\d+)(?:e[+-]\d+)?$/i,
} as const

const EXACT_DIGITS = 15 // of a number; a longer run of digits is an identifier

/** Each cell on its own: "NP" stays text among numbers, and an empty cell is null. */
export function toCellValue(cell: string, decimal: Decimal): TableCell {
  const text = cell.trim()
  if (text === '') return null
  if (!PLAIN[decimal].test(text) || text.replace(/\D/g, '').length > EXACT_DIGITS) return cell
  const grouped = decimal === '.' ? /,/g : /\./g
  return Number(text.replace(grouped, '').replace(',', '.'))
}
