import type { OperationDeclaration } from '../../../operation-table.ts'

/** What is done before a document is sent. */
export const CLEAN_OPERATIONS = {
  clean: {
    takes: ['remove?: [comments, revisions, hidden_text, authors, metadata]'],
    does: 'removes what a recipient should not get (all kinds unless named), accepts tracked changes, and lists what went',
    synonyms: ['clean_document', 'sanitize', 'remove_metadata', 'inspect_document', 'scrub'],
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
