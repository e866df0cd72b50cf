import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { FILL_OPERATIONS } from '../../declared/fill.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { fillPlaceholders } from './fill-placeholders.ts'

export const FILL_HANDLERS: OperationHandlers<DocumentEditor, typeof FILL_OPERATIONS> = {
  fill_placeholders: fillPlaceholders,
}
