import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS } from './fields.ts'
import { meantPlace } from './meant.ts'

const { ids, place } = FIELDS
const author = FIELDS.author.describe('Only those of this author')

/** Operations on tracked changes. */
export const REVISION_OPERATIONS = {
  accept_revisions: {
    takes: optional({ author, ids, place }),
    does: 'accepts tracked changes: all, by author, by id or at a place',
    example: { author: 'Ann' },
    synonyms: ['accept_changes', 'accept_all', 'accept_revision', 'accept_all_changes'],
    meant: meantPlace,
  },
  reject_revisions: {
    takes: optional({ author, ids, place }),
    does: 'rejects tracked changes',
    example: { place: 'p2' },
    synonyms: ['reject_changes', 'reject_all', 'reject_revision', 'reject_all_changes'],
    meant: meantPlace,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
