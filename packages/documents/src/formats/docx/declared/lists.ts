import { type Fields, takeField } from '@filewright/protocol'
import { z } from 'zod'
import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantPlace } from './meant.ts'

/** Operations on lists with real numbering. */
export const LIST_OPERATIONS = {
  insert_list: {
    takes: ['items', 'after | before', 'ordered?', 'start?'],
    understands: ['after', 'before', 'like', 'style', 'track'],
    does: 'inserts a bulleted or numbered list that looks like the nearest one of the document; numbers start anew',
    synonyms: ['add_list', 'insert_bullets', 'add_bullets', 'insert_numbered_list', 'create_list'],
    meant: meantList,
  },
  restart_list: {
    takes: ['place', 'start?'],
    understands: ['track'],
    does: 'lets the numbers start anew at that paragraph',
    synonyms: ['restart_numbering', 'set_list_start', 'renumber_list'],
    meant: meantPlace,
  },
  continue_list: {
    takes: ['place'],
    understands: ['track'],
    does: 'lets the numbers go on from the list before',
    synonyms: ['continue_numbering', 'join_list', 'merge_lists'],
    meant: meantPlace,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>

export const LIST_FIELDS = {
  items: z
    .array(
      z.union([
        z.string(),
        z.object({
          text: z.string().describe('Its text'),
          level: z.number().int().optional().describe('0 for the outermost'),
        }),
      ]),
    )
    .describe('Items of a list: texts, or {text, level}'),
  ordered: z.boolean().describe('true: numbered; false: bullets'),
}

/** Items under another name, and numbered lists by their type. */
function meantList(fields: Fields): Fields {
  const [items, others] = takeField(fields, ['items', 'bullets', 'list', 'texts', 'text'])
  const [type, rest] = takeField(others, ['type', 'list_type', 'kind'])
  const named = typeof type === 'string' ? { ordered: /number|order|decimal/i.test(type) } : {}
  return { ...(items !== undefined && { items }), ...named, ...rest }
}
