import { z } from 'zod'
import { CROP, PAGES } from '../../../pictures/declared.ts'

/** The arguments of `read_file` for pages. */
export const SELECTORS = {
  pages: PAGES,
  line_start: z.number().int().optional().describe('First line, 1-based'),
  layout: z.boolean().optional().describe('Keep columns where they stand on the page'),
  boxes: z.boolean().optional().describe('Also say where each line stands on its page'),
  crop: CROP,
}

export type PdfRegion = z.output<z.ZodObject<typeof SELECTORS>>

export const MAP_FIELDS = {
  pageCount: z.number().int().optional().describe('Pages (pdf)'),
  outline: z
    .array(z.looseObject({}))
    .optional()
    .describe('Its headings with title, level and page (pdf)'),
  formFields: z.array(z.looseObject({})).optional().describe('Name, type and value of each (pdf)'),
  pagesWithoutText: z
    .array(z.number().int())
    .optional()
    .describe('Pages without a text layer, as scans have, among those looked at (pdf)'),
}

export const READ_FIELDS = {
  pages: z
    .array(z.looseObject({ page: z.number().int().describe('Page number') }))
    .optional()
    .describe(
      'Of each page: its text, tables with the names that table_query takes, links, annotations, form fields; lines with boxes where asked for (pdf)',
    ),
}
