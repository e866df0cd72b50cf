import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantSlide } from './meant.ts'

/** Operations on how text looks, and on what a click on it opens. */
export const MARK_OPERATIONS = {
  format_text: {
    takes: [
      'search?',
      'index?',
      'shape?',
      'bold?',
      'italic?',
      'underline?',
      'strike?',
      'color?',
      'size?',
      'font?',
    ],
    understands: ['slide_index', 'regex', 'nth', 'match_case', 'whole_word'],
    does: 'formats the matched text alone, or all text of a shape',
    synonyms: ['format_run', 'set_format', 'format', 'style_text'],
    meant: meantSlide,
  },
  set_hyperlink: {
    takes: ['search', 'url', 'index?', 'shape?'],
    understands: ['slide_index', 'regex', 'nth', 'match_case', 'whole_word'],
    does: 'makes the matched text a link, or gives its link a new target',
    synonyms: ['add_hyperlink', 'insert_hyperlink', 'add_link', 'insert_link'],
    meant: meantSlide,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
