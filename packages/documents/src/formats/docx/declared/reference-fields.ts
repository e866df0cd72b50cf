import { z } from 'zod'

/** Fields of the operations on references and document properties. */
export const REFERENCE_FIELDS = {
  name: z.string().describe('Name of a bookmark'),
  target: z
    .string()
    .describe('What is referred to: a bookmark, "Figure 2", a heading, a list label, p12'),
  show: z.enum(['number', 'text', 'page']).describe('What a reference shows'),
  caption_label: z.string().describe('Figure, Table …'),
  levels: z.number().int().describe('Levels of headings in a table of contents'),
  properties: z
    .record(z.string(), z.string())
    .describe('title, subject, author, keywords, description, category, status'),
}
