import { z } from 'zod'

/** The arguments of `read_file` for a workbook. */
export const SELECTORS = {
  sheet: z.coerce.string().optional().describe('Sheet name'),
  range: z
    .string()
    .optional()
    .describe('Cell range such as A1:E50, several with commas, a table or a defined name'),
}

export type WorkbookRegion = z.output<z.ZodObject<typeof SELECTORS>>
