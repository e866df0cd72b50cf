import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { TEXT_OPERATIONS } from '../../declared/text.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { appendBullets } from './append-bullets.ts'
import { replaceText } from './replace-text.ts'
import { setNotes } from './set-notes.ts'
import { appendText, setPlaceholder, setShapeText, setSlideText } from './set-text.ts'

export const TEXT_HANDLERS: OperationHandlers<DeckEditor, typeof TEXT_OPERATIONS> = {
  replace_text: replaceText,
  set_slide_text: setSlideText,
  append_bullets: appendBullets,
  set_placeholder: setPlaceholder,
  set_shape_text: setShapeText,
  append_text: appendText,
  set_notes: setNotes,
}
