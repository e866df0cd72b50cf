import type { OperationDeclaration } from '../../../operation-table.ts'

/** Operations on notes and comments. */
export const NOTE_OPERATIONS = {
  add_footnote: {
    takes: ['text', 'search?', 'place?'],
    understands: ['regex', 'nth', 'match_case', 'whole_word', 'track'],
    does: 'adds a footnote behind the matched text, or at the end of a paragraph',
    synonyms: ['insert_footnote', 'footnote', 'create_footnote'],
  },
  add_endnote: {
    takes: ['text', 'search?', 'place?'],
    understands: ['regex', 'nth', 'match_case', 'whole_word', 'track'],
    does: 'adds an endnote in the same way',
    synonyms: ['insert_endnote', 'endnote', 'create_endnote'],
  },
  set_note: {
    takes: ['note', 'text'],
    understands: ['track'],
    does: 'sets the text of a footnote or endnote',
    synonyms: ['edit_note', 'update_note', 'edit_footnote', 'set_footnote', 'update_footnote'],
  },
  delete_note: {
    takes: ['note'],
    understands: ['track'],
    does: 'deletes a footnote or endnote',
    synonyms: ['remove_note', 'delete_footnote', 'remove_footnote', 'delete_endnote'],
  },
  reply_comment: {
    takes: ['comment', 'text', 'author?'],
    understands: ['track'],
    does: 'answers a comment',
    synonyms: ['reply_to_comment', 'answer_comment', 'add_reply'],
  },
  resolve_comment: {
    takes: ['comment', 'resolved?'],
    understands: ['track'],
    does: 'marks a comment and its replies as done',
    synonyms: ['close_comment', 'mark_comment_done'],
  },
  set_comment: {
    takes: ['comment', 'text'],
    understands: ['track'],
    does: 'sets the text of a comment',
    synonyms: ['edit_comment', 'update_comment'],
  },
  delete_comment: {
    takes: ['comment'],
    understands: ['track'],
    does: 'deletes a comment with its replies',
    synonyms: ['remove_comment'],
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
