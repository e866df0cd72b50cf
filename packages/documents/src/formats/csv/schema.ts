import { counted } from '@filewright/protocol'
import { type Records, type ScannableText, type Separation, scanRecords } from './records.ts'
import { type ColumnType, type Decimal, decimalOf, typeOf } from './values.ts'

/** The table of a file of separated values; types and names are derived from its first rows. */
export interface TableSchema {
  readonly delimiter: string
  readonly hasHeader: boolean
  /** The header is a row of its own; a `sep=` line is not counted as one of the table. */
  readonly headerRow: number | null
  readonly columns: readonly TableColumn[]
  readonly columnCount: number
  /** Rows of the file, the header included. */
  readonly rowCount: number
  /** Rows below the header that the types were derived from. */
  readonly rowsSeen: number
  readonly decimal: Decimal
}

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
}

const ROWS_SEEN = 1000
const BYTES_SEEN = 4_000_000
const MAX_COLUMNS = 200 // described; all can be read
const ROWS_COMPARED = 50
const DELIMITERS = [',', ';', '\t', '|'] as const

/** A tab in a file named for its tabs; else what the first line declares, or what divides the first rows most evenly. */
export function separationOf(text: ScannableText, docPath: string): Separation {
  if (!docPath.endsWith('.csv')) return { delimiter: '\t', skipped: 0 }
  const declared = /^sep=([^\w\s"]|\t)\s*$/.exec(firstLine(text))?.[1]
  if (declared && declared.charCodeAt(0) < 128) return { delimiter: declared, skipped: 1 }
  const scored = DELIMITERS.map(delimiter => {
    const records = scanRecords(text, delimiter, ROWS_COMPARED)
    const widths = firstRows(records, { skipped: 0, most: ROWS_COMPARED }).map(row => row.length)
    const alike = widths.filter(width => width === widths[0]).length
    return { delimiter, score: (widths[0] ?? 0) > 1 ? alike * 1000 + widths[0]! : 0 }
  })
  const best = scored.reduce((found, one) => (one.score > found.score ? one : found))
  return { delimiter: best.delimiter, skipped: 0 }
}

export function schemaOf(records: Records, { delimiter, skipped }: Separation): TableSchema {
  const rows = firstRows(records, { skipped, most: ROWS_SEEN + 1 })
  const first = rows[0] ?? []
  const hasHeader = rows.length > 1 && isHeader(first)
  const seen = hasHeader ? rows.slice(1) : rows
  const columns = first.slice(0, MAX_COLUMNS).map((name, index) => ({
    name: hasHeader ? name.trim() : `column ${index + 1}`,
    type: typeOf(seen.map(row => row[index] ?? '')),
  }))
  return {
    delimiter,
    hasHeader,
    headerRow: hasHeader ? firstFilled(records, skipped) : null,
    columns,
    columnCount: records.columnCount,
    rowCount: records.count,
    rowsSeen: seen.length,
    decimal: decimalOf(seen),
  }
}

export function describeSchema(schema: TableSchema): string {
  const { delimiter, hasHeader, columns, columnCount, rowCount, decimal } = schema
  const named = columns.map(({ name, type }) => `${name} (${type})`).join(', ')
  const more = columnCount > columns.length ? ' …' : ''
  const comma = decimal === ',' ? ', decimal comma' : ''
  return `table of ${counted(columnCount, 'column')} and ${counted(rowCount, 'row')}, separated by ${JSON.stringify(delimiter)}, ${hasHeader ? 'with' : 'without'} a header${comma}: ${named}${more}`
}

/** Rows that have cells, as many as are needed to judge the table. */
function firstRows(
  records: Records,
  { skipped, most }: { readonly skipped: number; readonly most: number },
): string[][] {
  const rows: string[][] = []
  let bytes = 0
  for (let n = skipped + 1; n <= records.count && rows.length < most; n++) {
    bytes += records.sizeOf(n)
    if (bytes > BYTES_SEEN) break
    const cells = records.cells(n)
    if (cells.length > 0) rows.push(cells)
  }
  return rows
}

function firstFilled(records: Records, skipped: number): number {
  for (let n = skipped + 1; n < records.count; n++) if (records.cells(n).length > 0) return n
  return records.count
}

/** Names are strings, none empty and none repeated. */
function isHeader(cells: readonly string[]): boolean {
  const names = cells.map(cell => cell.trim())
  return new Set(names).size === names.length && names.every(name => typeOf([name]) === 'text')
}

const FIRST_LINE = 100 // bytes; a declaration is shorter

function firstLine({ bytes, from, decode }: ScannableText): string {
  return decode(bytes.subarray(from, from + FIRST_LINE)).split(/\r?\n/)[0]!
}
