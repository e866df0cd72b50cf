import { z } from 'zod'

const length = z.number().describe('Centimetres')

/** Fields of the operations on pages. */
export const PAGE_FIELDS = {
  section: z
    .union([z.number(), z.string()])
    .optional()
    .describe('Number of a page section, from 1; without it all'),
  which: z
    .enum(['default', 'first', 'even'])
    .optional()
    .describe('Header or footer of which pages: default, first or even'),
  paper: z.string().optional().describe('A3, A4, A5, Letter, Legal, or "21 x 29.7" in centimetres'),
  orientation: z.enum(['portrait', 'landscape']).optional().describe('Of the pages'),
  margins: z
    .union([
      length,
      z.object({
        top: length.optional(),
        bottom: length.optional(),
        left: length.optional(),
        right: length.optional(),
        header: length.optional(),
        footer: length.optional(),
      }),
    ])
    .optional()
    .describe('Centimetres: one number, or {top, bottom, left, right, header, footer}'),
  starts_on: z
    .enum(['next_page', 'continuous', 'even_page', 'odd_page'])
    .optional()
    .describe('Where the new section starts'),
  align: z.enum(['left', 'center', 'right']).optional().describe('Alignment'),
  position: z.enum(['header', 'footer']).optional().describe('Of page numbers; footer by default'),
  start: z.number().int().optional().describe('First number of a list or of the pages'),
  number_format: z
    .enum(['decimal', 'lowerRoman', 'upperRoman', 'lowerLetter', 'upperLetter'])
    .optional()
    .describe('Of page numbers'),
}
