import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantMarkdown } from './meant.ts'

/** Operations on several blocks at once. */
export const BLOCK_OPERATIONS = {
  insert_markdown: {
    takes: ['markdown', 'after | before'],
    understands: ['after', 'before', 'track'],
    does: "inserts headings, lists, tables and text from Markdown in the document's own styles; at the end without after or before",
    synonyms: ['add_markdown', 'append_markdown', 'markdown'],
    meant: meantMarkdown,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
