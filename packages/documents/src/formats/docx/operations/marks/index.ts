import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { MARK_OPERATIONS } from '../../declared/marks.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { addComment } from './add-comment.ts'
import { formatText } from './format-text.ts'
import { setHyperlink } from './set-hyperlink.ts'
import { setStyle } from './set-style.ts'

export const MARK_HANDLERS: OperationHandlers<DocumentEditor, typeof MARK_OPERATIONS> = {
  set_style: setStyle,
  format_text: formatText,
  set_hyperlink: setHyperlink,
  add_comment: addComment,
}
