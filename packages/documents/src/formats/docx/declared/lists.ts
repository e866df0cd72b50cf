import { type Fields, takeField } from '@filewright/protocol'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, SIDES, TRACK } from './fields.ts'
import { meantPlace } from './meant.ts'

const { items, ordered, place, style } = FIELDS
const start = FIELDS.start.min(0).max(32_767).default(1).describe('First number of the list')
const like = FIELDS.place.describe('An item of the list that it looks like')

/** Operations on lists with real numbering. */
export const LIST_OPERATIONS = {
  insert_list: {
    takes: { items: items.min(1).max(2000), ...BESIDE, ...optional({ ordered }), start },
    understands: { ...TRACK, ...optional({ like, style }) },
    either: SIDES,
    does: 'inserts a bulleted or numbered list that looks like the nearest one of the document; numbers start anew',
    example: { items: ['First', { text: 'below it', level: 1 }], after: 'p2', ordered: true },
    synonyms: ['add_list', 'insert_bullets', 'add_bullets', 'insert_numbered_list', 'create_list'],
    meant: meantList,
  },
  restart_list: {
    takes: { place, start },
    understands: TRACK,
    does: 'lets the numbers start anew at that paragraph',
    example: { place: 'p4', start: 1 },
    synonyms: ['restart_numbering', 'set_list_start', 'renumber_list'],
    meant: meantPlace,
  },
  continue_list: {
    takes: { place },
    understands: TRACK,
    does: 'lets the numbers go on from the list before',
    example: { place: 'p6' },
    synonyms: ['continue_numbering', 'join_list', 'merge_lists'],
    meant: meantPlace,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>

/** Items under another name, and numbered lists by their type. */
function meantList(fields: Fields): Fields {
  const [items, others] = takeField(fields, ['items', 'bullets', 'list', 'texts', 'text'])
  const [type, rest] = takeField(others, ['type', 'list_type', 'kind'])
  const named = typeof type === 'string' ? { ordered: /number|order|decimal/i.test(type) } : {}
  return { ...(items !== undefined && { items }), ...named, ...rest }
}
