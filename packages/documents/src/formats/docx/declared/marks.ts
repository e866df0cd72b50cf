import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantPlace } from './meant.ts'

/** Operations on how text looks, and on what is attached to it. */
export const MARK_OPERATIONS = {
  set_style: {
    takes: ['place', 'style', 'clear_direct?'],
    understands: ['track'],
    does: 'sets the style of paragraphs and names what still overrides it',
    synonyms: ['apply_style', 'set_paragraph_style', 'change_style'],
    meant: meantPlace,
  },
  format_text: {
    takes: [
      'search?',
      'place?',
      'bold?',
      'italic?',
      'underline?',
      'strike?',
      'color?',
      'highlight?',
      'size?',
      'font?',
    ],
    understands: ['regex', 'nth', 'match_case', 'whole_word', 'track'],
    does: 'formats the matched text alone, or whole paragraphs',
    synonyms: ['format_run', 'set_format', 'format', 'style_text', 'highlight_text'],
  },
  set_hyperlink: {
    takes: ['search', 'url', 'place?'],
    understands: ['regex', 'nth', 'match_case', 'whole_word', 'track'],
    does: 'makes the matched text a link, or gives its link a new target',
    synonyms: ['add_hyperlink', 'insert_hyperlink', 'add_link', 'insert_link'],
  },
  add_comment: {
    takes: ['text', 'search?', 'place?', 'author?'],
    understands: ['regex', 'nth', 'match_case', 'whole_word', 'track'],
    does: 'comments the matched text, or a paragraph',
    synonyms: ['insert_comment', 'comment', 'create_comment'],
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
