import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { REVISION_OPERATIONS } from '../../declared/revisions.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { acceptRevisions, rejectRevisions } from './settle.ts'

export const REVISION_HANDLERS: OperationHandlers<DocumentEditor, typeof REVISION_OPERATIONS> = {
  accept_revisions: acceptRevisions,
  reject_revisions: rejectRevisions,
}
