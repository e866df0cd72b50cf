import { LIMITS } from '@filewright/protocol'
import type { FormatDeclaration } from '../../format-facts.ts'
import { WHOLE_DOCUMENT } from '../../pictures/declared.ts'
import { MAP_FIELDS, READ_FIELDS } from './declared/answers.ts'
import { DOCUMENT_OPERATIONS } from './declared/operations.ts'
import { SELECTORS } from './declared/selectors.ts'

/** Documents of Word 2007 and later. */
export const docx = {
  words: { file: 'a Word document', document: 'document', place: 'paragraph' },
  endings: ['.docx', '.docm', '.dotx', '.dotm'],
  hostile: true,
  isPacked: true,
  reading: {
    selectors: SELECTORS,
    region: 'a section or paragraphs of a document',
    map: 'sections with sizes, tables, images, comments and revisions',
    note: 'A paragraph is shown as `p12|text`: the id and the bar are not part of the text. ⟦…⟧ stands for a note, a picture or a field, ⏎ for a line break.',
    fields: { map: MAP_FIELDS, read: READ_FIELDS },
  },
  editing: {
    operations: DOCUMENT_OPERATIONS,
    newEndings: ['.docx'],
    mostPlaces: LIMITS.draftedCells,
    kinds: ['paragraph', 'format', 'table', 'structure'],
    unit: { name: 'paragraphs', of: 'paragraph' },
  },
  drawing: WHOLE_DOCUMENT,
  has: { rebase: true, diff: 'places', preview: false, withdraw: true },
  synonyms: {
    section: ['heading', 'chapter', 'part'],
    paragraphs: ['paragraph', 'paragraphRange'],
    place: ['paragraph', 'paragraph_id', 'target'],
  },
  load: async () => (await import('./format.ts')).docxFormat,
} as const satisfies FormatDeclaration
