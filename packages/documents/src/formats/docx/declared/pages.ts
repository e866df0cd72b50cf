import type { OperationDeclaration } from '../../../operation-table.ts'

/** Operations on headers, footers, page set-up and breaks. */
export const PAGE_OPERATIONS = {
  set_header: {
    takes: ['text', 'which?', 'section?'],
    understands: ['track'],
    does: 'sets the text of the header; pictures, fields and the page number stay',
    synonyms: ['update_header', 'add_header', 'insert_header', 'edit_header'],
  },
  set_footer: {
    takes: ['text', 'which?', 'section?'],
    understands: ['track'],
    does: 'sets the text of the footer in the same way',
    synonyms: ['update_footer', 'add_footer', 'insert_footer', 'edit_footer'],
  },
  set_page_numbers: {
    takes: ['text?', 'position?', 'align?', 'start?', 'number_format?', 'section?'],
    understands: ['which', 'track'],
    does: 'numbers the pages: text such as "Page {page} of {pages}"',
    synonyms: ['add_page_numbers', 'insert_page_numbers', 'page_numbers', 'add_page_number'],
  },
  set_page: {
    takes: ['paper?', 'orientation?', 'margins?', 'columns?', 'section?'],
    understands: ['track'],
    does: 'sets up the pages of all sections or one',
    synonyms: ['set_page_setup', 'page_setup', 'set_margins', 'set_orientation', 'set_section'],
  },
  insert_page_break: {
    takes: ['after | before'],
    understands: ['after', 'before', 'track'],
    does: 'starts a new page there',
    synonyms: ['page_break', 'add_page_break'],
  },
  insert_section_break: {
    takes: ['after | before', 'starts_on?'],
    understands: ['after', 'before', 'track'],
    does: 'starts a section there, whose pages can then be set up apart',
    synonyms: ['section_break', 'add_section_break', 'insert_section', 'add_section'],
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
