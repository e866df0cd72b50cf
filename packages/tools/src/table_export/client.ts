import { editedAs, FORMATS, type FormatFacts, formatByName } from '@filewright/documents'
import { type ClientHandler, counted, fail, LIMITS, ok } from '@filewright/protocol'
import type { ClientContext, FileFailure, Files } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import { describeTables } from '../query-warnings.ts'
import { toSources } from '../table-sources.ts'
import type { tableExport } from './tool.ts'

const OPTIONS = { maxRows: 250_000, maxCharacters: LIMITS.textFileBytes }

export const tableExportClient: ClientHandler<typeof tableExport, ClientContext> = async (
  { sql, tables, to, sheet, start, overwrite },
  { files, draft },
) => {
  const place = await files.locate(to)
  if (!place.ok) return place
  const { docPath } = place.value
  const format = formatByName(docPath)
  if (!format?.writesTable) return notATable(to)
  const taken = place.value.exists
    ? await findTaken(files, format, { to, sheet, start, overwrite })
    : undefined
  if (taken) return taken
  const result = await files.query(toSources(tables), sql, OPTIONS)
  if (!result.ok) return result
  const { columns, rows, rowCount } = result.value
  if (rows.length < rowCount)
    return fail(
      'TOO_LARGE',
      `Nothing was written: the query gives ${rowCount} rows, and an export takes ${OPTIONS.maxRows} rows or 10 MB. Export it in parts with LIMIT and OFFSET.`,
    )
  const table = { columns, rows, docPath, table: sheet, start }
  const operations = format.writesTable(table)
  const edited = await draft.edit(to, editedAs(format.id), operations, { createIfMissing: true })
  if (!edited.ok) return edited
  const answer = toEditedAnswer(edited.value, { listsChanges: false })
  const warnings = [
    ...answer.warnings,
    ...(format.tableWarnings?.(table) ?? []),
    ...describeTables(result.value.tables, sql),
  ]
  const message = `${answer.message} ${counted(rowCount, 'row')} with ${counted(columns.length, 'column')}.`
  return ok({ ...answer, message, warnings, fields: { ...answer.fields, rowCount } })
}

interface Target {
  readonly to: string
  readonly sheet?: string
  readonly start?: string
  readonly overwrite?: boolean
}

/** What is there is never written over unasked. */
async function findTaken(
  files: Files,
  { isPacked }: FormatFacts,
  { to, sheet = 'Sheet1', start, overwrite }: Target,
) {
  if (!isPacked)
    return overwrite
      ? undefined
      : fail(
          'CONFLICT',
          `Nothing was written: "${to}" exists. Send overwrite: true to replace it, or another name.`,
        )
  if (start !== undefined) return undefined
  const held = await files.query([{ path: to, table: sheet }], 'SELECT 1', LOOK)
  if (!held.ok) return held.failure.code === 'NO_SUCH_REGION' ? undefined : held
  return fail<FileFailure>(
    'CONFLICT',
    `Nothing was written: the sheet "${sheet}" of "${to}" has cells. Name a new sheet, or the first cell to write with start.`,
  )
}

const LOOK = { maxRows: 1, maxCharacters: 1 }

function notATable(to: string) {
  const endings = FORMATS.filter(({ writesTable }) => writesTable).map(({ endings }) => endings[0])
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was written: "${to}" is no name for a table. Use one that ends in ${endings.join(' or ')}.`,
  )
}
