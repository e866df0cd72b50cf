import { z } from 'zod'

/** Fields of a workbook's map. */
export const MAP_FIELDS = {
  sheets: z
    .array(z.looseObject({ name: z.string().describe('What read_file takes as sheet') }))
    .optional()
    .describe(
      'Of a workbook, each with its usedRange, islands of cells with headers, tables, charts, comments, and chunks: ranges that fit one read',
    ),
  names: z.array(z.looseObject({})).optional().describe('Defined names (xlsx)'),
  hasMacros: z.boolean().optional().describe('It has macros (xlsx)'),
  isSigned: z.boolean().optional().describe('It is digitally signed (xlsx)'),
  is1904: z.boolean().optional().describe('Its dates count from 1904 (xlsx)'),
}

/** Fields of a read of cells. */
export const READ_FIELDS = {
  sheet: z.string().optional().describe('Sheet name (xlsx)'),
  range: z.string().optional().describe('The cells shown (xlsx)'),
  usedRange: z.string().optional().describe('All cells of the sheet (xlsx)'),
  isUsedRangeExact: z
    .boolean()
    .optional()
    .describe('False when the sheet claims more than was examined (xlsx)'),
  cells: z
    .array(
      z.looseObject({
        cell: z.string().describe('Address such as B2'),
        value: z.unknown().optional().describe('Number, text, true/false or null'),
        text: z.string().optional().describe('As its format shows it, where that differs'),
        date: z.string().optional().describe('Date or time, ISO 8601'),
        formula: z.string().optional().describe('With its ='),
        arrayRange: z.string().optional().describe('The cells that an array formula fills'),
        isStale: z
          .boolean()
          .optional()
          .describe('The value is calculated when the file is opened in a spreadsheet program'),
      }),
    )
    .optional()
    .describe('Cells that are not empty (xlsx)'),
  merges: z.array(z.string()).nullable().optional().describe('Merged ranges; null: see the map'),
  comments: z.array(z.looseObject({})).optional().describe('Of the cells shown (xlsx)'),
  otherSheets: z
    .array(z.string())
    .optional()
    .describe('Names of the other sheets, where none was asked for (xlsx)'),
  styles: z
    .array(
      z.object({
        ranges: z.array(z.string()).describe('Cells that look alike'),
        style: z.string().describe('How they look, in words'),
      }),
    )
    .optional()
    .describe('Of the cells shown, where asked for (xlsx)'),
  texts: z
    .array(z.looseObject({}))
    .optional()
    .describe('With texts: each distinct text, its count and first cell (xlsx)'),
  textCount: z.number().optional().describe('How many distinct texts there are (xlsx)'),
  trace: z
    .array(z.looseObject({}))
    .optional()
    .describe('With trace: formulas with their cells, values and what they read (xlsx)'),
  hiddenRows: z.array(z.unknown()).optional().describe('Of the rows shown (xlsx)'),
  hiddenColumns: z.array(z.unknown()).optional().describe('Of the columns shown (xlsx)'),
}
