import { z } from 'zod'

const length = z.number().min(0).lt(55).describe('Centimetres')

/** Fields of the operations on pages. */
export const PAGE_FIELDS = {
  section: z
    .union([z.number(), z.string()])
    .describe('Number of a page section, from 1; without it all'),
  which: z
    .enum(['default', 'first', 'even'])
    .describe('Header or footer of which pages: default, first or even'),
  paper: z.string().describe('A3, A4, A5, Letter, Legal, or "21 x 29.7" in centimetres'),
  orientation: z.enum(['portrait', 'landscape']).describe('Of the pages'),
  margins: z
    .union([
      length,
      z.strictObject({
        top: length.optional(),
        bottom: length.optional(),
        left: length.optional(),
        right: length.optional(),
        header: length.optional(),
        footer: length.optional(),
      }),
    ])
    .describe('Centimetres: one number, or {top, bottom, left, right, header, footer}'),
  starts_on: z
    .enum(['next_page', 'continuous', 'even_page', 'odd_page'])
    .describe('Where the new section starts'),
  align: z.enum(['left', 'center', 'right']).describe('Alignment'),
  position: z.enum(['header', 'footer']).describe('Of page numbers; footer by default'),
  start: z.number().int().describe('First number of a list or of the pages'),
  number_format: z
    .enum(['decimal', 'lowerRoman', 'upperRoman', 'lowerLetter', 'upperLetter'])
    .describe('Of page numbers'),
}
