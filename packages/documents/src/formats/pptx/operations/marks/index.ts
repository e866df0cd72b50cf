import type { MARK_OPERATIONS } from '../../declared/marks.ts'
import type { DeckHandler } from '../../edit/editor.ts'
import { formatText } from './format-text.ts'
import { setHyperlink } from './set-hyperlink.ts'

export const MARK_HANDLERS: Readonly<Record<keyof typeof MARK_OPERATIONS, DeckHandler>> = {
  format_text: formatText,
  set_hyperlink: setHyperlink,
}
