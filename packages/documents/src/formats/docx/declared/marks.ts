import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import { LOOK_FIELDS } from '../../../fields/shared-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS, FINE_SEARCH, TRACK, WORDS } from './fields.ts'
import { meantPlace } from './meant.ts'

const { search, place, style, clear_direct, url } = FIELDS
const { bold, italic, underline, strike, font } = LOOK_FIELDS
const color = z
  .string()
  .refine(own => own === 'auto' || /^#?[0-9a-f]{6}$/i.test(own), {
    error: ({ input }) =>
      `is six digits such as "C00000", or "auto", and ${JSON.stringify(input)} is not`,
  })
  .describe('Six digits such as C00000, or auto')
// biome-ignore format: a list
const HIGHLIGHTS = [
  'black', 'blue', 'cyan', 'green', 'magenta', 'red', 'yellow', 'white', 'darkBlue', 'darkCyan', 'darkGreen',
  'darkMagenta', 'darkRed', 'darkYellow', 'darkGray', 'lightGray', 'none',
] as const
const highlight = z.enum(HIGHLIGHTS).describe('A colour of Word, or none')
const size = LOOK_FIELDS.size.min(1).max(1638)
const author = z.string().describe('Who comments; without it the person')

/** Operations on how text looks, and on what is attached to it. */
export const MARK_OPERATIONS = {
  set_style: {
    takes: { place, style, ...optional({ clear_direct }) },
    understands: TRACK,
    does: 'sets the style of paragraphs and names what still overrides it',
    example: { place: 'p3', style: 'Heading 1' },
    synonyms: ['apply_style', 'set_paragraph_style', 'change_style'],
    meant: meantPlace,
  },
  format_text: {
    takes: optional({
      ...{ search, place, bold, italic, underline, strike, color, highlight, size, font },
    }),
    understands: FINE_SEARCH,
    needs: ['bold', 'italic', 'underline', 'strike', 'color', 'highlight', 'size', 'font'],
    does: 'formats the matched text alone, or whole paragraphs',
    example: { search: 'urgent', bold: true, color: 'C00000' },
    synonyms: ['format_run', 'set_format', 'format', 'style_text', 'highlight_text'],
  },
  set_hyperlink: {
    takes: { ...optional({ search }), url: url.min(1), ...optional({ place }) },
    understands: FINE_SEARCH,
    does: 'makes the matched text a link, or gives its link a new target',
    example: { search: 'our site', url: 'https://example.org' },
    synonyms: ['add_hyperlink', 'insert_hyperlink', 'add_link', 'insert_link'],
  },
  add_comment: {
    takes: { text: WORDS.describe('What to say'), ...optional({ search, place, author }) },
    understands: FINE_SEARCH,
    does: 'comments the matched text, or a paragraph',
    example: { text: 'Is that right?', search: 'urgent' },
    synonyms: ['insert_comment', 'comment', 'create_comment'],
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
