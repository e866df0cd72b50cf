import type { LoadedTable, QueryResult, TableCell } from '@filewright/documents'
import { type ClientHandler, counted, LIMITS, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { describeTables } from '../query-warnings.ts'
import { toSources } from '../table-sources.ts'
import type { tableQuery } from './tool.ts'

const SHOWN_BYTES = 44 * 1024 // below the bound of a result, with room for the head
const OPTIONS = { maxRows: LIMITS.queryRows, maxCharacters: 4 * 1024 * 1024 }
const LISTED_COLUMNS = 200 // of one table

export const tableQueryClient: ClientHandler<typeof tableQuery, ClientContext> = async (
  { sql, tables },
  { files },
) => {
  const result = await files.query(toSources(tables), sql, OPTIONS)
  if (!result.ok) return result
  const { columns, rows, rowCount } = result.value
  const message = `${counted(rowCount, 'row')} from ${result.value.tables.map(({ name, rowCount: count }) => `${name} (${counted(count, 'row')})`).join(', ')}`
  return ok({
    fields: {
      columns: [...columns],
      rows: rows.map(row => [...row]),
      rowCount,
      tables: result.value.tables.map(toFields),
    },
    message,
    text: [message, ...toLines(result.value)].join('\n'),
    warnings: describeTables(result.value.tables, sql),
  })
}

function toFields({ name, columns, headerRow, rowCount }: LoadedTable) {
  return { name, columns: columns.slice(0, LISTED_COLUMNS), headerRow, rowCount }
}

function toLines({ columns, rows, rowCount }: QueryResult): string[] {
  const lines = [columns.map(toText).join(' | ')]
  let bytes = Buffer.byteLength(lines[0]!)
  for (const row of rows) {
    const line = row.map(toText).join(' | ')
    bytes += Buffer.byteLength(line) + 1
    if (bytes > SHOWN_BYTES) break
    lines.push(line)
  }
  const shown = lines.length - 1
  const more = `… the first ${shown} of ${rowCount} rows; use LIMIT and OFFSET, or ask for less`
  return shown < rowCount ? [...lines, more] : lines
}

function toText(cell: TableCell): string {
  return cell === null ? '' : String(cell).replace(/\r?\n/g, '⏎')
}
