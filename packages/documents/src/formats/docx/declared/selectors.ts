import { z } from 'zod'

/** The arguments of `read_file` for a document. */
export const SELECTORS = {
  section: z.coerce
    .string()
    .optional()
    .describe(
      'Heading, list label or index of a section; also a table (t2), headers, footnotes, comments, revisions',
    ),
  paragraphs: z.coerce.string().optional().describe('Paragraphs such as p12-p40'),
  view: z
    .enum(['final', 'marked', 'original'])
    .optional()
    .describe('Tracked changes as accepted (default), shown, or rejected'),
}

export type DocumentRegion = z.output<z.ZodObject<typeof SELECTORS>>
