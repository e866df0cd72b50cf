import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, SIDES, TEXTS, TRACK } from './fields.ts'

const { which, section, paper, orientation, margins, number_format, position, align } = FIELDS
const columns = z.number().int().min(1).max(45).describe('How many columns of text')
const numbered = z
  .string()
  .refine(text => text.includes('{page}'), {
    error: 'has no {page} in it, such as "Page {page} of {pages}"',
  })
  .default('{page}')
  .describe('Text with {page}, and {pages} for their count')

/** Operations on headers, footers, page set-up and breaks. */
export const PAGE_OPERATIONS = {
  set_header: {
    takes: { text: TEXTS, ...optional({ which, section }) },
    understands: TRACK,
    does: 'sets the text of the header; pictures, fields and the page number stay',
    example: { text: 'Draft of 1 May' },
    synonyms: ['update_header', 'add_header', 'insert_header', 'edit_header'],
  },
  set_footer: {
    takes: { text: TEXTS, ...optional({ which, section }) },
    understands: TRACK,
    does: 'sets the text of the footer in the same way',
    example: { text: 'Confidential', which: 'first' },
    synonyms: ['update_footer', 'add_footer', 'insert_footer', 'edit_footer'],
  },
  set_page_numbers: {
    takes: {
      text: numbered,
      position: position.default('footer').describe('Where they stand'),
      align: align.default('center'),
      ...optional({
        start: FIELDS.start.min(0).describe('Number of the first page'),
        number_format,
        section,
      }),
    },
    understands: { ...TRACK, ...optional({ which }) },
    does: 'numbers the pages: text such as "Page {page} of {pages}"',
    example: { text: 'Page {page} of {pages}' },
    synonyms: ['add_page_numbers', 'insert_page_numbers', 'page_numbers', 'add_page_number'],
  },
  set_page: {
    takes: optional({ paper, orientation, margins, columns, section }),
    understands: TRACK,
    needs: ['paper', 'orientation', 'margins', 'columns'],
    does: 'sets up the pages of all sections or one',
    example: { paper: 'A4', margins: { left: 2.5, right: 2.5 } },
    synonyms: ['set_page_setup', 'page_setup', 'set_margins', 'set_orientation', 'set_section'],
  },
  insert_page_break: {
    takes: BESIDE,
    understands: TRACK,
    either: SIDES,
    does: 'starts a new page there',
    example: { before: 'p3' },
    synonyms: ['page_break', 'add_page_break'],
  },
  insert_section_break: {
    takes: { ...BESIDE, starts_on: FIELDS.starts_on.default('next_page') },
    understands: TRACK,
    either: SIDES,
    does: 'starts a section there, whose pages can then be set up apart',
    example: { after: 'p2' },
    synonyms: ['section_break', 'add_section_break', 'insert_section', 'add_section'],
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
