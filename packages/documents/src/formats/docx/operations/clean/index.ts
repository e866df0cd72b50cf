import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { CLEAN_OPERATIONS } from '../../declared/clean.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { clean } from './clean.ts'

export const CLEAN_HANDLERS: OperationHandlers<DocumentEditor, typeof CLEAN_OPERATIONS> = {
  clean,
}
