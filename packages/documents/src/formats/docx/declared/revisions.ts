import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantPlace } from './meant.ts'

/** Operations on tracked changes. */
export const REVISION_OPERATIONS = {
  accept_revisions: {
    takes: ['author?', 'ids?', 'place?'],
    does: 'accepts tracked changes: all, by author, by id or at a place',
    synonyms: ['accept_changes', 'accept_all', 'accept_revision', 'accept_all_changes'],
    meant: meantPlace,
  },
  reject_revisions: {
    takes: ['author?', 'ids?', 'place?'],
    does: 'rejects tracked changes',
    synonyms: ['reject_changes', 'reject_all', 'reject_revision', 'reject_all_changes'],
    meant: meantPlace,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
