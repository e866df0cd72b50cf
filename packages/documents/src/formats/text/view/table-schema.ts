import { counted } from '@filewright/protocol'
import type { TextDocument } from '../decode/text.ts'

/** The columns of a file of separated values, derived from its first rows. */
export interface TableSchema {
  readonly delimiter: string
  readonly hasHeader: boolean
  readonly columns: readonly TableColumn[]
  /** Excluding the header. */
  readonly rowsSeen: number
  /** Whether these were all the rows. */
  readonly isWhole: boolean
}

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
}

type ColumnType = 'number' | 'date' | 'boolean' | 'text' | 'empty'

const ROWS_SEEN = 1000
const CHARS_SEEN = 1_000_000
const MAX_COLUMNS = 200
const DELIMITERS = [',', ';', '\t', '|'] as const

export function schemaOf(doc: TextDocument, docPath: string): TableSchema | undefined {
  if (!/\.(csv|tsv|tab)$/.test(docPath) || doc.lineCount === 0) return undefined
  const { lines, isWhole } = firstLines(doc)
  const delimiter = delimiterOf(lines, docPath.endsWith('.csv') ? DELIMITERS : ['\t'])
  const rows = rowsOf(lines, delimiter)
  const [first] = rows
  if (!first) return undefined
  const hasHeader = rows.length > 1 && isHeader(first)
  const seen = hasHeader ? rows.slice(1) : rows
  const columns = first.slice(0, MAX_COLUMNS).map((name, index) => ({
    name: hasHeader ? name.trim() : `column ${index + 1}`,
    type: typeOf(seen.map(row => row[index] ?? '')),
  }))
  return { delimiter, hasHeader, columns, rowsSeen: seen.length, isWhole }
}

export function describeSchema({
  delimiter,
  hasHeader,
  columns,
  rowsSeen,
  isWhole,
}: TableSchema): string {
  const named = columns.map(({ name, type }) => `${name} (${type})`).join(', ')
  const rows = isWhole
    ? counted(rowsSeen, 'row')
    : `types from the first ${counted(rowsSeen, 'row')}`
  return `table of ${counted(columns.length, 'column')} separated by ${JSON.stringify(delimiter)}, ${hasHeader ? 'with' : 'without'} a header, ${rows}: ${named}`
}

/** A quoted row may span several lines, so lines are added until there are enough rows. */
function firstLines(doc: TextDocument): { lines: string[]; isWhole: boolean } {
  const lines: string[] = []
  let chars = 0
  for (let n = 1; n <= doc.lineCount; n++) {
    if (lines.length > ROWS_SEEN || chars > CHARS_SEEN) return { lines, isWhole: false }
    const line = doc.line(n)
    lines.push(line)
    chars += line.length
  }
  return { lines, isWhole: true }
}

/** The delimiter that splits the most rows into as many cells as the first; on a tie, the one that gives more cells. */
function delimiterOf(lines: readonly string[], known: readonly string[]): string {
  const scored = known.map(delimiter => {
    const rows = rowsOf(lines.slice(0, 50), delimiter)
    const cells = rows[0]?.length ?? 0
    const alike = rows.filter(row => row.length === cells).length
    return { delimiter, score: cells > 1 ? alike * 1000 + cells : 0 }
  })
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).delimiter
}

/** RFC 4180: a quoted cell may contain delimiters, doubled quotes and line ends. Empty lines are not rows. */
function rowsOf(lines: readonly string[], delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (const line of lines) {
    if (!isQuoted && row.length === 0 && line.trim() === '') continue
    for (let at = 0; at < line.length; at++) {
      const char = line[at]!
      if (isQuoted && char === '"' && line[at + 1] === '"') {
        cell += '"'
        at++
      } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
      else if (char === delimiter && !isQuoted) {
        row.push(cell)
        cell = ''
      } else cell += char
    }
    if (isQuoted) {
      cell += '\n'
      continue
    }
    rows.push([...row, cell])
    row = []
    cell = ''
  }
  return rows
}

/** Names are strings, none empty and none repeated. */
function isHeader(cells: readonly string[]): boolean {
  const names = cells.map(cell => cell.trim())
  return new Set(names).size === names.length && names.every(name => typeOf([name]) === 'text')
}

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

function typeOf(cells: readonly string[]): ColumnType {
  const given = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  if (given.length === 0) return 'empty'
  const known = TYPES.find(([, pattern]) => given.every(cell => pattern.test(cell)))
  return known ? known[0] : 'text'
}
