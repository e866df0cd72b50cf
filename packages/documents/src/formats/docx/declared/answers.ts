import { z } from 'zod'

const list = (words: string) => z.array(z.looseObject({})).optional().describe(words)

/** Fields of a document's map. */
export const MAP_FIELDS = {
  sections: list('Of a document, by heading: index, title, level, label, paragraphs, words'),
  documentTables: list('Of a document: id, rows, columns, headers'),
  images: list('Of a document: the paragraph, the alt text, and what a chart shows'),
  stories: list('Headers, footers, notes and comments of a document, with their size'),
  revisions: z.looseObject({}).optional().describe('Tracked changes of a document, by author'),
  placeholders: list('What a template leaves to fill in: text and paragraph'),
  styles: list('Paragraph styles in use and how often (docx)'),
  protection: z.string().optional().describe('What a protected document still allows (docx)'),
  isTracking: z.boolean().optional().describe('The document records changes (docx)'),
  readChunks: z
    .array(z.string())
    .optional()
    .describe('Long documents: values of paragraphs that fit one read'),
}

/** Fields of a read of a document. */
export const READ_FIELDS = {
  paragraphs: list('The paragraphs shown: id, text, label, style, level (docx)'),
  revisionCount: z.number().int().optional().describe('Tracked changes of the document (docx)'),
}
