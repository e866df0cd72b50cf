import { z } from 'zod'

/** Fields of the operations on references and document properties. */
export const REFERENCE_FIELDS = {
  name: z.string().optional().describe('Name of a bookmark'),
  target: z
    .string()
    .optional()
    .describe('What is referred to: a bookmark, "Figure 2", a heading, a list label, p12'),
  show: z.enum(['number', 'text', 'page']).optional().describe('What a reference shows'),
  caption_label: z.string().optional().describe('Figure, Table …'),
  levels: z.number().int().optional().describe('Levels of headings in a table of contents'),
  properties: z
    .record(z.string(), z.string())
    .optional()
    .describe('title, subject, author, keywords, description, category, status'),
}
