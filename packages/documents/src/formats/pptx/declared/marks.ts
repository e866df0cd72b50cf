import { optional } from '../../../fields/named-fields.ts'
import { hexColor, LOOK_FIELDS } from '../../../fields/shared-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS, FINE_SEARCH, OLDER } from './fields.ts'
import { meantSlide } from './meant.ts'

const { search, index, shape, url } = FIELDS
const looks = { ...LOOK_FIELDS, color: hexColor, size: LOOK_FIELDS.size.min(1).max(4000) }

/** Operations on how text looks, and on what a click on it opens. */
export const MARK_OPERATIONS = {
  format_text: {
    takes: optional({ search, index, shape, ...looks }),
    understands: FINE_SEARCH,
    needs: ['bold', 'italic', 'underline', 'strike', 'color', 'size', 'font'],
    spellings: OLDER,
    does: 'formats the matched text alone, or all text of a shape',
    example: { search: 'Sales', bold: true, color: 'C00000' },
    synonyms: ['format_run', 'set_format', 'format', 'style_text'],
    meant: meantSlide,
  },
  set_hyperlink: {
    takes: { ...optional({ search }), url, ...optional({ index, shape }) },
    understands: FINE_SEARCH,
    spellings: OLDER,
    does: 'makes the matched text a link, or gives its link a new target',
    example: { search: 'Sales', url: 'https://example.org' },
    synonyms: ['add_hyperlink', 'insert_hyperlink', 'add_link', 'insert_link'],
    meant: meantSlide,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
