import { type Box, fail, ok, type Result } from '@filewright/protocol'
import type {
  DocumentTable,
  FileMap,
  ReadableDocument,
  ReadableFormat,
  ReadOptions,
} from '../../format.ts'
import { textFormat } from '../text/index.ts'
import type { CsvRegion } from './declared.ts'
import { type CsvTable, readRows } from './read-rows.ts'
import { scanRecords, toScannable } from './records.ts'
import { describeSchema, schemaOf, separationOf } from './schema.ts'
import { toCellValue } from './values.ts'

/** Separated values, read as a table; as text they are opened by the format of text. */
export const csvFormat: ReadableFormat = {
  open(bytes, name) {
    const lines = textFormat.open(bytes, name)
    if (!lines.ok) return lines
    let known: CsvTable | undefined
    const table = () => {
      known ??= openTable(bytes, name)
      return known
    }
    return ok({
      map: () => mapTable(lines.value, table()),
      read: (region: CsvRegion, options: ReadOptions) =>
        readPart(lines.value, table, region, options),
      search: query => lines.value.search(query),
      tables: () => ok(toTables(table())),
    } satisfies ReadableDocument)
  },
}

function openTable(bytes: Uint8Array, name: CsvTable['name']): CsvTable {
  const text = toScannable(bytes)
  const separation = separationOf(text, name.docPath)
  const records = scanRecords(text, separation.delimiter)
  const { encoding } = text
  return { name, records, schema: schemaOf(records, separation), encoding }
}

function mapTable(lines: ReadableDocument, { schema, records }: CsvTable): Result<FileMap> {
  const map = lines.map()
  if (!map.ok || records.count === 0) return map
  const { unclosedFrom } = records
  return ok({
    ...map.value,
    text: `${map.value.text}\n${describeSchema(schema)}`,
    fields: { ...map.value.fields, kind: 'csv', table: schema },
    ...(unclosedFrom !== undefined && { warnings: [describeUnclosed(unclosedFrom)] }),
  })
}

function describeUnclosed(row: number): string {
  return `Row ${row} opens a quote that is never closed, so quotes are read as plain characters from there on.`
}

function readPart(
  lines: ReadableDocument,
  table: () => CsvTable,
  region: CsvRegion,
  options: ReadOptions,
) {
  const { row_start, row_count, ...byLine } = region
  if (Object.values(byLine).every(value => value === undefined))
    return readRows(table(), region, options)
  if (row_start === undefined && row_count === undefined) return lines.read(byLine, options)
  return fail(
    'INVALID_ARGUMENT',
    `Cannot read "${table().name.path}" by rows and by lines at once: row_start counts rows of the table, line_start lines of the text. Send one of them.`,
  )
}

function toTables({ records, schema, name }: CsvTable): readonly DocumentTable[] {
  const { rowCount, columnCount } = schema
  if (rowCount === 0) return []
  const box: Box = { top: 1, left: 1, bottom: rowCount, right: columnCount }
  function* rows({ top, left, bottom, right }: Box = box) {
    for (let row = Math.max(1, top); row <= Math.min(bottom, rowCount); row++) {
      const own = records.cells(row)
      const cells = Array.from({ length: Math.min(right, columnCount) - left + 1 }, (_, index) =>
        toCellValue(own[left - 1 + index] ?? '', schema.decimal),
      )
      if (cells.some(cell => cell !== null)) yield { row, cells }
    }
  }
  const base = name.path.slice(name.path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  const { unclosedFrom } = records
  const about = unclosedFrom === undefined ? {} : { warning: describeUnclosed(unclosedFrom) }
  const { headerRow } = schema
  return [{ name: base, region: { row_start: 1 }, box, headerRow, rows, ...about }]
}
