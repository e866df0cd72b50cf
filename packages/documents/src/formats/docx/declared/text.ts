import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, SIDES, TEXT, TEXTS, TRACK } from './fields.ts'
import { meantInsertion, meantPlace, meantReplacement, meantSetParagraphs } from './meant.ts'

const { search, replace, place, nth, regex, replacements, style } = FIELDS
const { match_case, whole_word, paragraphs } = FIELDS
const like = place.describe('A paragraph that it looks like')

/** Operations on text and paragraphs. */
export const TEXT_OPERATIONS = {
  replace_text: {
    takes: optional({ search, replace, place, nth, regex, replacements }),
    understands: { ...TRACK, ...optional({ match_case, whole_word }) },
    either: ['search', 'regex', 'replacements'],
    spellings: { find: 'search' },
    does: 'replaces text at every place, across runs, looks kept',
    example: { search: '2025', replace: '2026' },
    synonyms: ['replace', 'find_replace', 'find_and_replace', 'substitute'],
    meant: meantReplacement,
  },
  set_paragraph: {
    takes: { place, text: TEXT },
    understands: TRACK,
    does: 'sets the text of a paragraph in the form that read_file shows',
    example: { place: 'p2', text: 'Sales **grew** in 2026.' },
    synonyms: ['update_paragraph', 'edit_paragraph', 'replace_paragraph'],
    meant: meantPlace,
  },
  set_paragraphs: {
    takes: { paragraphs: paragraphs.min(1).describe('Each with its new text') },
    understands: TRACK,
    does: 'sets several paragraphs',
    example: { paragraphs: [{ place: 'p2', text: 'Sales grew in 2026.' }] },
    synonyms: ['update_paragraphs'],
    meant: meantSetParagraphs,
  },
  insert_paragraph: {
    takes: { text: TEXTS, ...BESIDE, ...optional({ style }) },
    understands: { ...TRACK, ...optional({ like }) },
    either: SIDES,
    does: 'inserts paragraphs that look like their neighbour',
    example: { text: 'Costs fell.', after: 'p2' },
    synonyms: ['add_paragraph', 'insert_text', 'insert_paragraphs', 'insert_after'],
    meant: meantInsertion,
  },
  append_paragraph: {
    takes: { text: TEXTS, ...optional({ style }) },
    understands: { place: place.default('body'), ...TRACK, ...optional({ like }) },
    does: 'adds paragraphs at the end',
    example: { text: 'Signed on 1 May 2026.' },
    synonyms: ['append', 'append_text', 'append_paragraphs', 'add_text'],
    meant: meantInsertion,
  },
  delete_paragraph: {
    takes: { place },
    understands: TRACK,
    does: 'deletes a paragraph, a range such as p3-p5, a table, or a section by its heading',
    example: { place: 'p3' },
    synonyms: ['remove_paragraph', 'delete_paragraphs', 'remove_paragraphs', 'delete_text'],
    meant: meantPlace,
  },
  move_paragraph: {
    takes: { place, ...BESIDE },
    understands: TRACK,
    either: SIDES,
    does: 'moves a paragraph, a range such as p3-p5, or a section by its heading',
    example: { place: 'p3', before: 'p2' },
    meant: meantPlace,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
