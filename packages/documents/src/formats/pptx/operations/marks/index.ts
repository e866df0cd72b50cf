import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { MARK_OPERATIONS } from '../../declared/marks.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { formatText } from './format-text.ts'
import { setHyperlink } from './set-hyperlink.ts'

export const MARK_HANDLERS: OperationHandlers<DeckEditor, typeof MARK_OPERATIONS> = {
  format_text: formatText,
  set_hyperlink: setHyperlink,
}
