import type { REVISION_OPERATIONS } from '../../declared/revisions.ts'
import type { DocumentHandler } from '../../edit/editor.ts'
import { acceptRevisions, rejectRevisions } from './settle.ts'

export const REVISION_HANDLERS: Readonly<
  Record<keyof typeof REVISION_OPERATIONS, DocumentHandler>
> = {
  accept_revisions: acceptRevisions,
  reject_revisions: rejectRevisions,
}
