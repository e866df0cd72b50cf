import { counted, fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { DocumentName, ReadOptions } from '../../format.ts'
import type { CsvRegion } from './declared.ts'
import type { Records } from './records.ts'
import type { TableSchema } from './schema.ts'

const MAX_CELL_CHARS = 2_000 // of one cell in a page of rows; a row read alone is shown whole, as far as a read goes
const MAX_CELLS = 1_000 // of one row

export interface CsvTable {
  readonly name: DocumentName
  readonly records: Records
  readonly schema: TableSchema
  readonly encoding: string
}

/** Rows of the table, as many as fit, with the arguments for the next. */
export function readRows(
  table: CsvTable,
  region: CsvRegion,
  { maxBytes, version }: ReadOptions,
): Result<Reading, 'INVALID_ARGUMENT' | 'NO_SUCH_REGION'> {
  const { records, schema, name, encoding } = table
  const { row_start: start = 1, row_count: count = records.count } = region
  const wrong = findWrongRows(table, region)
  if (wrong) return wrong
  const last = Math.min(records.count, start + count - 1)
  const page = readPage(records, { start, last, maxBytes })
  const next = page.end < records.count ? { row_start: page.end + 1 } : undefined
  const shown = describeRows(start, page.end)
  const total = counted(records.count, 'row')
  const head = [
    name.path,
    ...(version ? [`version ${version}`] : []),
    `${shown} of ${records.count}`,
    counted(records.columnCount, 'column'),
    `separated by ${JSON.stringify(schema.delimiter)}`,
    schema.headerRow === null ? 'no header' : `header in row ${schema.headerRow}`,
    `encoding ${encoding}`,
  ].join(' · ')
  const hint = next ? [`… continue with row_start ${next.row_start}`] : []
  return ok({
    text: [head, ...page.lines, ...hint].join('\n'),
    fields: {
      rowStart: start,
      rowCount: Math.max(0, page.end - start + 1),
      totalRows: records.count,
      delimiter: schema.delimiter,
      encoding,
      header: schema.headerRow === null ? null : headerOf(records, schema.headerRow),
      rows: page.rows,
    },
    ...(records.columnCount > MAX_CELLS && { warnings: [wideTable(records.columnCount)] }),
    shown,
    total,
    ...(next && { next }),
  })
}

interface RowPage {
  readonly lines: readonly string[]
  readonly rows: readonly string[][]
  /** The last row shown. */
  readonly end: number
}

function readPage(
  records: Records,
  { start, last, maxBytes }: { start: number; last: number; maxBytes: number },
): RowPage {
  const lines: string[] = []
  const rows: string[][] = []
  let size = 0
  let end = start - 1
  for (let n = start; n <= last; n++) {
    const cells = records.cells(n).slice(0, MAX_CELLS)
    const most = start === last ? Math.floor(maxBytes / 3) : MAX_CELL_CHARS
    const shown = cells.map(cell => cutCell(cell, most))
    let line = `${n}|${shown.map(quoteCell).join('|')}`
    const bytes = Buffer.byteLength(line) + 1
    if (size + bytes > maxBytes && lines.length > 0) break
    if (bytes > maxBytes) line = `${line.slice(0, Math.floor(maxBytes / 3))}…`
    lines.push(line)
    rows.push(shown)
    size += bytes
    end = n
  }
  return { lines, rows, end }
}

function findWrongRows({ records, name }: CsvTable, region: CsvRegion) {
  const { row_start: start, row_count: count } = region
  if (start !== undefined && start < 1)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read "${name.path}" from row ${start}: rows are counted from 1.`,
    )
  if (count !== undefined && count < 1)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read ${count} rows of "${name.path}": row_count must be 1 or more.`,
    )
  if (start === undefined || start <= records.count) return undefined
  const state = records.count === 0 ? 'it has no rows' : `its last row is ${records.count}`
  return fail('NO_SUCH_REGION', `Cannot read "${name.path}" from row ${start}: ${state}.`, {
    details: { lastRow: records.count },
  })
}

function describeRows(start: number, end: number): string {
  if (end < start) return 'no rows'
  return start === end ? `row ${start}` : `rows ${start}-${end}`
}

function headerOf(records: Records, row: number): string[] {
  return records
    .cells(row)
    .slice(0, MAX_CELLS)
    .map(cell => cutCell(cell, MAX_CELL_CHARS))
}

function wideTable(columns: number): string {
  return `Each row has up to ${columns} cells, and the first ${MAX_CELLS} are shown. table_query with range, such as AMA1:AMZ50, reads the others.`
}

function cutCell(cell: string, most: number): string {
  if (cell.length <= most) return cell
  return `${cell.slice(0, most)}… (${cell.length} characters)`
}

/** Quoted where it could be mistaken for the frame of the table. */
function quoteCell(cell: string): string {
  return /[|\n\r]|^[\s"]|\s$/.test(cell) ? JSON.stringify(cell) : cell
}
