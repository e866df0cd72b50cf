import type { FormatDeclaration } from '../../format-facts.ts'
import { WHOLE_DOCUMENT } from '../../pictures/declared.ts'
import { SELECTORS } from '../text/view/declared.ts'

/** Documents of other programs, read-only: their text, a paragraph a line. */
export const prose = {
  words: { file: 'a document of another program', document: 'text', place: 'paragraph' },
  endings: ['.doc', '.dot', '.odt', '.ott', '.rtf'],
  hostile: true,
  reading: {
    selectors: SELECTORS,
    region: 'paragraphs of a doc, odt or rtf',
    map: 'paragraphs of a doc, odt or rtf',
    fields: { map: {}, read: {} },
  },
  drawing: WHOLE_DOCUMENT,
  load: async () => (await import('./format.ts')).proseFormat,
} as const satisfies FormatDeclaration
