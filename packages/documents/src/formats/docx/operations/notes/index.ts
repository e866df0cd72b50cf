import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { NOTE_OPERATIONS } from '../../declared/notes.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { addEndnote, addFootnote } from './add-note.ts'
import { deleteComment, setComment } from './change-comment.ts'
import { deleteNote, setNote } from './change-note.ts'
import { replyComment, resolveComment } from './reply-comment.ts'

export const NOTE_HANDLERS: OperationHandlers<DocumentEditor, typeof NOTE_OPERATIONS> = {
  add_footnote: addFootnote,
  add_endnote: addEndnote,
  set_note: setNote,
  delete_note: deleteNote,
  reply_comment: replyComment,
  resolve_comment: resolveComment,
  set_comment: setComment,
  delete_comment: deleteComment,
}
