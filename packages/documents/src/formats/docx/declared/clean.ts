import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS } from './fields.ts'

const remove = FIELDS.remove.min(1).describe('What to remove; without it all')

/** What is done before a document is sent. */
export const CLEAN_OPERATIONS = {
  clean: {
    takes: optional({ remove }),
    does: 'removes what a recipient should not get (all kinds unless named), accepts tracked changes, and lists what went',
    example: { remove: ['comments', 'metadata'] },
    synonyms: ['clean_document', 'sanitize', 'remove_metadata', 'inspect_document', 'scrub'],
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
