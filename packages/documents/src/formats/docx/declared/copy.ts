import { type Fields, takeField } from '@filewright/protocol'
import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, SIDES, TRACK } from './fields.ts'

const { from, blocks } = FIELDS
const author = z.string().describe('Whose changes they are; without it those of the person')

/** Operations that take from another document. */
export const COPY_OPERATIONS = {
  copy_blocks: {
    takes: { from, ...optional({ blocks }), ...BESIDE },
    understands: TRACK,
    either: SIDES,
    files: ['from'],
    does: 'copies paragraphs and tables of another document with their styles, numbering, notes and pictures',
    example: { from: 'other.docx', blocks: 'p1', after: 'p2' },
    synonyms: ['copy_from_document', 'import_blocks', 'copy_section', 'insert_document'],
    meant: meantCopy,
  },
  compare_with: {
    takes: { from, ...optional({ author }) },
    files: ['from'],
    does: 'writes what differs in another document as tracked changes that lead to it; begin with copy_from to keep the original',
    example: { from: 'other.docx' },
    synonyms: ['compare', 'compare_documents', 'diff_with'],
    meant: meantCopy,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>

/** The other document under another name. */
function meantCopy(fields: Fields): Fields {
  const [from, rest] = takeField(fields, ['from', 'path', 'file', 'source', 'with', 'other'])
  const [blocks, others] = takeField(rest, ['blocks', 'place', 'range', 'section'])
  return {
    ...(from !== undefined && { from }),
    ...(blocks !== undefined && { blocks }),
    ...others,
  }
}
