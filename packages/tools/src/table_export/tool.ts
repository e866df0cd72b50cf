import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { editedFields } from '../file-fields.ts'
import { meantTables, queryFields } from '../table-sources.ts'

export const tableExport = defineTool({
  name: 'table_export',
  label: 'Exporting to {to}',
  summary: 'Write the rows of a SQL SELECT to a csv file or a sheet in the draft, with a header.',
  guidance:
    'The query is that of table_query. A new file or sheet is created; a csv that exists needs overwrite, a sheet with cells needs start.',
  input: z.object({
    ...queryFields,
    to: z.string().describe('File to write: .csv, .tsv or .xlsx'),
    sheet: z.string().optional().describe('Sheet of a workbook; default Sheet1'),
    start: z.string().optional().describe('First cell; default A1'),
    overwrite: z.boolean().optional().describe('Replace a csv that exists'),
  }),
  output: z.looseObject({
    ...editedFields,
    rowCount: z.number().int().describe('Rows written below the header'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'draft',
  failures: {},
  meant: meantTables,
})
