import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS, OLDER } from './fields.ts'
import { meantBullets, meantNotes, meantReplacement, meantShape, meantSlideText } from './meant.ts'

const { index, title, body, bullets, shape, placeholder, text } = FIELDS
const { search, replace, regex, nth, match_case, whole_word, replacements } = FIELDS

/** Operations on the text of slides. */
export const TEXT_OPERATIONS = {
  replace_text: {
    takes: optional({ search, replace, index, shape, nth, regex, replacements }),
    understands: optional({ match_case, whole_word }),
    either: ['search', 'regex', 'replacements'],
    spellings: { ...OLDER, find: 'search' },
    does: 'replaces text on every slide, in tables and notes too, across runs, looks kept',
    example: { search: '2025', replace: '2026' },
    synonyms: ['replace', 'find_replace', 'find_and_replace', 'substitute'],
    meant: meantReplacement,
  },
  set_slide_text: {
    takes: { index, ...optional({ title, body }) },
    needs: ['title', 'body'],
    spellings: OLDER,
    does: 'sets title and body of a slide in its placeholders; paragraphs keep their looks',
    example: { index: 0, title: 'Results' },
    synonyms: ['update_slide', 'set_slide', 'edit_slide', 'update_slide_text'],
    meant: meantSlideText,
  },
  append_bullets: {
    takes: { index, bullets, ...optional({ shape }) },
    spellings: OLDER,
    does: 'adds bullets to the body, each like the last one of its level',
    example: { index: 0, bullets: ['Sales grew', { text: 'in all regions', level: 1 }] },
    synonyms: ['add_bullets', 'add_bullet', 'append_bullet'],
    meant: meantBullets,
  },
  set_placeholder: {
    takes: { index, placeholder, text },
    spellings: OLDER,
    does: 'sets the text of a placeholder, taken from the layout where the slide lacks it',
    example: { index: 0, placeholder: 'title', text: 'Results' },
    synonyms: ['fill_placeholder', 'set_placeholder_text'],
    meant: meantShape,
  },
  set_shape_text: {
    takes: { index, shape, text },
    spellings: OLDER,
    does: 'sets the text of a shape',
    example: { index: 0, shape: 'title', text: 'Results' },
    synonyms: ['set_text', 'update_shape', 'set_textbox', 'edit_shape_text'],
    meant: meantShape,
  },
  append_text: {
    takes: { index, shape, text },
    spellings: OLDER,
    does: 'adds paragraphs to the text of a shape',
    example: { index: 0, shape: 'title', text: 'in 2026' },
    synonyms: ['append', 'add_text'],
    meant: meantShape,
  },
  set_notes: {
    takes: { index, text },
    spellings: OLDER,
    does: 'sets the speaker notes',
    example: { index: 0, text: 'Thank the team first.' },
    synonyms: ['set_speaker_notes', 'add_notes', 'update_notes'],
    meant: meantNotes,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
