import { z } from 'zod'

/** The arguments of `read_file` for a workbook. */
export const SELECTORS = {
  sheet: z.coerce.string().optional().describe('Sheet name'),
  range: z
    .string()
    .optional()
    .describe('Cell range such as A1:E50, several with commas, a table or a defined name'),
  texts: z
    .boolean()
    .optional()
    .describe('Show the distinct texts of the range with their counts instead of cells (xlsx)'),
  trace: z
    .enum(['precedents', 'dependents'])
    .optional()
    .describe('Show what the formulas of the range read, or which formulas read it (xlsx)'),
}

export type WorkbookRegion = z.output<z.ZodObject<typeof SELECTORS>>
