import { type Fields, isFields, takeField } from '@filewright/protocol'

const ROW_NAMES = ['row', 'start_row']
const COLUMN_NAMES = ['column', 'col', 'start_column', 'start_col']

/** `"cell": "B2"` for `"row": 2, "column": 2` or `"column": "B"`. */
export function withAddress(fields: Fields, name: string, { fromZero = hasZero(fields) } = {}) {
  const [row, others] = takeField(fields, ROW_NAMES)
  const [column, rest] = takeField(others, COLUMN_NAMES)
  const number = Number(row) + (fromZero ? 1 : 0)
  const letters = lettersOf(column, fromZero)
  const isPlace = row !== undefined && Number.isInteger(number) && number >= 1
  return isPlace && letters !== undefined ? { ...rest, [name]: `${letters}${number}` } : fields
}

/** Somebody who names a row 0 counts from 0; rows and columns are counted from 1 otherwise, as a read shows them. */
export function hasZero(fields: Fields): boolean {
  const [row, rest] = takeField(fields, ROW_NAMES)
  const [column] = takeField(rest, COLUMN_NAMES)
  return Number(row) === 0 || column === 0 || column === '0'
}

function lettersOf(column: unknown, fromZero: boolean): string | undefined {
  if (typeof column === 'string' && /^[a-z]{1,3}$/i.test(column)) return column.toUpperCase()
  const number = Number(column) + (fromZero ? 1 : 0)
  if (column === undefined || !Number.isInteger(number) || number < 1) return undefined
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

const RANGE_NAMES = ['range', 'ranges', 'cells', 'cell', 'cell_range']

/** `"range"` by its other names; one operation for each of several ranges. */
export function meantRange(fields: Fields): Fields | readonly Fields[] {
  const [sent, rest] = takeField(withAddress(fields, 'range'), RANGE_NAMES)
  if (sent === undefined) return fields
  const ranges = asRanges(sent)
  if (!ranges) return { range: sent, ...rest }
  return ranges.map(range => ({ range, ...rest }))
}

/** The regions of a read under other names: a cell by its numbers, ranges as a list, whole rows or columns. */
export function meantRegion(given: Fields): Fields {
  const fields = withAddress(given, 'range')
  const [lines, rest] = takeField(fields, ['rows', 'columns'])
  const [range, others] = takeField(rest, ['range', 'ranges', 'cells'])
  if (range === undefined)
    return typeof lines === 'string' && /^\w+:\w+$/.test(lines) ? { ...rest, range: lines } : fields
  const ranges = lines === undefined && Array.isArray(range) ? asRanges(range) : undefined
  return ranges ? { ...others, range: ranges.join(',') } : fields
}

/** `["A1", "B2"]` for `"A1,B2"` and `[{"cell": "A1"}, {"cell": "B2"}]`; undefined if they are not only addresses. */
function asRanges(sent: unknown): readonly string[] | undefined {
  if (typeof sent === 'string')
    return sent.match(/(?:'(?:[^']|'')*'|[^',;\n])+/g)?.map(own => own.trim())
  if (!Array.isArray(sent) || sent.length === 0) return undefined
  const ranges = sent.map(item => (isFields(item) ? onlyAddress(item) : item))
  return ranges.every(range => typeof range === 'string') ? ranges : undefined
}

/** A cell with a value is not one to clear. */
function onlyAddress(item: Fields): unknown {
  const [address, rest] = takeField(withAddress(item, 'cell'), ['cell', 'range', 'address', 'ref'])
  return Object.values(rest).every(value => value === null) ? address : undefined
}
