import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { meantTables, queryFields } from '../table-sources.ts'

export const tableQuery = defineTool({
  name: 'table_query',
  label: 'Querying {sql}',
  summary: 'Run one SQL SELECT over sheets, csv files and other tables, as the draft has them.',
  guidance:
    'Use it for totals, counts, filters and joins instead of reading rows: what it answers is computed. Each sheet or table is a SQL table by its name; a single one is also called t. Cells keep their own types: text among numbers stays text, a blank is NULL, a date of a sheet is ISO text; number(x) reads text such as "$1,200.50", isodate(x) such as "31.12.2025". At most 1,000 rows are shown, all are counted. An unknown column answers with the columns.',
  input: z.object(queryFields),
  output: z.object({
    columns: z.array(z.string()).describe('Of the result'),
    rows: z
      .array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])))
      .describe('The first rows; at most 1,000'),
    rowCount: z.number().int().describe('How many rows the result has'),
    tables: z
      .array(
        z.object({
          name: z.string().describe('In SQL'),
          columns: z.array(z.string()).describe('Besides _row'),
          headerRow: z.number().int().nullable().describe('Row with the column names'),
          rowCount: z.number().int().describe('Rows below it'),
        }),
      )
      .describe('What was queried'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  meant: meantTables,
})
