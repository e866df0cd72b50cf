import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, TRACK } from './fields.ts'
import { meantMarkdown } from './meant.ts'

/** Operations on several blocks at once. */
export const BLOCK_OPERATIONS = {
  insert_markdown: {
    takes: { markdown: FIELDS.markdown.describe('The Markdown'), ...BESIDE },
    understands: TRACK,
    does: "inserts headings, lists, tables and text from Markdown in the document's own styles; at the end without after or before",
    example: { markdown: '## Terms\n\n- first\n- second', after: 'p2' },
    synonyms: ['add_markdown', 'append_markdown', 'markdown'],
    meant: meantMarkdown,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
