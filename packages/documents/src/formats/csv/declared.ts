import { z } from 'zod'
import { SELECTORS as LINES } from '../text/view/declared.ts'

/** The arguments of `read_file` for separated values: rows of the table, or lines of the text. */
export const SELECTORS = {
  row_start: z.number().int().optional().describe('First row, 1-based; the header is a row'),
  row_count: z.number().int().optional().describe('How many rows'),
  ...LINES,
}

export type CsvRegion = z.output<z.ZodObject<typeof SELECTORS>>

export const MAP_FIELDS = {
  table: z
    .looseObject({})
    .optional()
    .describe('csv: delimiter, hasHeader, rowCount, columnCount, columns with name and type'),
}

export const READ_FIELDS = {
  rowStart: z.number().int().optional().describe('First row shown (csv)'),
  rowCount: z.number().int().optional().describe('How many rows are shown (csv)'),
  totalRows: z.number().int().optional().describe('Rows of the whole file (csv)'),
  header: z.array(z.string()).nullable().optional().describe('Names of the columns (csv)'),
  rows: z
    .array(z.array(z.string()))
    .optional()
    .describe('The cells of each row shown, as text (csv)'),
}
