import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantInsertion, meantPlace, meantReplacement, meantSetParagraphs } from './meant.ts'

/** Operations on text and paragraphs. */
export const TEXT_OPERATIONS = {
  replace_text: {
    takes: ['search', 'replace', 'place?', 'nth?', 'regex?', 'replacements?: [{search, replace}]'],
    understands: ['find', 'match_case', 'whole_word', 'track'],
    does: 'replaces text at every place, across runs, looks kept',
    synonyms: ['replace', 'find_replace', 'find_and_replace', 'substitute'],
    meant: meantReplacement,
  },
  set_paragraph: {
    takes: ['place', 'text'],
    understands: ['track'],
    does: 'sets the text of a paragraph in the form that read_file shows',
    synonyms: ['update_paragraph', 'edit_paragraph', 'replace_paragraph'],
    meant: meantPlace,
  },
  set_paragraphs: {
    takes: ['paragraphs: [{place, text}]'],
    understands: ['track'],
    does: 'sets several paragraphs',
    synonyms: ['update_paragraphs'],
    meant: meantSetParagraphs,
  },
  insert_paragraph: {
    takes: ['text', 'after | before', 'style?'],
    understands: ['after', 'before', 'like', 'track'],
    does: 'inserts paragraphs that look like their neighbour',
    synonyms: ['add_paragraph', 'insert_text', 'insert_paragraphs', 'insert_after'],
    meant: meantInsertion,
  },
  append_paragraph: {
    takes: ['text', 'style?'],
    understands: ['place', 'like', 'track'],
    does: 'adds paragraphs at the end',
    synonyms: ['append', 'append_text', 'append_paragraphs', 'add_text'],
    meant: meantInsertion,
  },
  delete_paragraph: {
    takes: ['place'],
    understands: ['track'],
    does: 'deletes a paragraph, a range such as p3-p5, a table, or a section by its heading',
    synonyms: ['remove_paragraph', 'delete_paragraphs', 'remove_paragraphs', 'delete_text'],
    meant: meantPlace,
  },
  move_paragraph: {
    takes: ['place', 'after | before'],
    understands: ['after', 'before', 'track'],
    does: 'moves a paragraph, a range such as p3-p5, or a section by its heading',
    meant: meantPlace,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
