import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantBullets, meantNotes, meantReplacement, meantShape, meantSlideText } from './meant.ts'

/** Operations on the text of slides. */
export const TEXT_OPERATIONS = {
  replace_text: {
    takes: [
      'search',
      'replace',
      'index?',
      'shape?',
      'nth?',
      'regex?',
      'replacements?: [{search, replace}]',
    ],
    understands: ['slide_index', 'find', 'match_case', 'whole_word'],
    does: 'replaces text on every slide, in tables and notes too, across runs, looks kept',
    synonyms: ['replace', 'find_replace', 'find_and_replace', 'substitute'],
    meant: meantReplacement,
  },
  set_slide_text: {
    takes: ['index', 'title?', 'body?'],
    understands: ['slide_index'],
    does: 'sets title and body of a slide in its placeholders; paragraphs keep their looks',
    synonyms: ['update_slide', 'set_slide', 'edit_slide', 'update_slide_text'],
    meant: meantSlideText,
  },
  append_bullets: {
    takes: ['index', 'bullets: [text | {text, level}]', 'shape?'],
    understands: ['slide_index'],
    does: 'adds bullets to the body, each like the last one of its level',
    synonyms: ['add_bullets', 'add_bullet', 'append_bullet'],
    meant: meantBullets,
  },
  set_placeholder: {
    takes: ['index', 'placeholder', 'text'],
    understands: ['slide_index'],
    does: 'sets the text of a placeholder, taken from the layout where the slide lacks it',
    synonyms: ['fill_placeholder', 'set_placeholder_text'],
    meant: meantShape,
  },
  set_shape_text: {
    takes: ['index', 'shape', 'text'],
    understands: ['slide_index'],
    does: 'sets the text of a shape',
    synonyms: ['set_text', 'update_shape', 'set_textbox', 'edit_shape_text'],
    meant: meantShape,
  },
  append_text: {
    takes: ['index', 'shape', 'text'],
    understands: ['slide_index'],
    does: 'adds paragraphs to the text of a shape',
    synonyms: ['append', 'add_text'],
    meant: meantShape,
  },
  set_notes: {
    takes: ['index', 'text'],
    understands: ['slide_index'],
    does: 'sets the speaker notes',
    synonyms: ['set_speaker_notes', 'add_notes', 'update_notes'],
    meant: meantNotes,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
