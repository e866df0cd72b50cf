import type { FormatDeclaration } from '../../format-facts.ts'
import { MAP_FIELDS, READ_FIELDS, SELECTORS } from './page/declared.ts'

/** Pages of text, tables and pictures, read-only. */
export const pdf = {
  words: { file: 'a PDF', document: 'pages', place: 'page' },
  endings: ['.pdf'],
  hostile: true,
  reading: {
    selectors: SELECTORS,
    region: 'pages of a pdf',
    map: 'pages with outline and form fields',
    timeoutMs: 3_000, // a drawing may draw itself; what one read holds takes a tenth of that
    fields: { map: MAP_FIELDS, read: READ_FIELDS },
  },
  drawing: { selectors: { pages: SELECTORS.pages, crop: SELECTORS.crop }, by: 'itself' },
  synonyms: { pages: ['page', 'pageRange', 'page_range'] },
  load: async () => {
    const { startPdf } = await import('./start.ts')
    return startPdf()
  },
} as const satisfies FormatDeclaration
