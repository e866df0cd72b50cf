import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS, FINE_SEARCH, TEXTS, TRACK, WORDS } from './fields.ts'

const { search, place, note, comment, resolved } = FIELDS
const text = WORDS.describe('What the note says')
const author = z.string().describe('Who answers; without it the person')

/** Operations on notes and comments. */
export const NOTE_OPERATIONS = {
  add_footnote: {
    takes: { text, ...optional({ search, place }) },
    understands: FINE_SEARCH,
    does: 'adds a footnote behind the matched text, or at the end of a paragraph',
    example: { text: 'See the annual report.', search: 'grew' },
    synonyms: ['insert_footnote', 'footnote', 'create_footnote'],
  },
  add_endnote: {
    takes: { text, ...optional({ search, place }) },
    understands: FINE_SEARCH,
    does: 'adds an endnote in the same way',
    example: { text: 'See the annual report.', search: 'grew' },
    synonyms: ['insert_endnote', 'endnote', 'create_endnote'],
  },
  set_note: {
    takes: { note, text: TEXTS },
    understands: TRACK,
    does: 'sets the text of a footnote or endnote',
    example: { note: 'footnote 1', text: 'See page 12.' },
    synonyms: ['edit_note', 'update_note', 'edit_footnote', 'set_footnote', 'update_footnote'],
  },
  delete_note: {
    takes: { note },
    understands: TRACK,
    does: 'deletes a footnote or endnote',
    example: { note: 'footnote 1' },
    synonyms: ['remove_note', 'delete_footnote', 'remove_footnote', 'delete_endnote'],
  },
  reply_comment: {
    takes: { comment, text: WORDS.describe('What to answer'), ...optional({ author }) },
    understands: TRACK,
    does: 'answers a comment',
    example: { comment: 0, text: 'Yes, it is.' },
    synonyms: ['reply_to_comment', 'answer_comment', 'add_reply'],
  },
  resolve_comment: {
    takes: { comment, resolved: resolved.default(true) },
    understands: TRACK,
    does: 'marks a comment and its replies as done',
    example: { comment: 0 },
    synonyms: ['close_comment', 'mark_comment_done'],
  },
  set_comment: {
    takes: { comment, text: WORDS.describe('What it says; delete_comment deletes one') },
    understands: TRACK,
    does: 'sets the text of a comment',
    example: { comment: 0, text: 'Please check the date.' },
    synonyms: ['edit_comment', 'update_comment'],
  },
  delete_comment: {
    takes: { comment },
    understands: TRACK,
    does: 'deletes a comment with its replies',
    example: { comment: 0 },
    synonyms: ['remove_comment'],
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
