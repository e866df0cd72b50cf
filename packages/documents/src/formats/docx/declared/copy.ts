import { type Fields, takeField } from '@filewright/protocol'
import { z } from 'zod'
import type { OperationDeclaration } from '../../../operation-table.ts'

/** Operations that take from another document. */
export const COPY_OPERATIONS = {
  copy_blocks: {
    takes: ['from', 'blocks?', 'after | before'],
    understands: ['after', 'before', 'track'],
    files: ['from'],
    does: 'copies paragraphs and tables of another document with their styles, numbering, notes and pictures',
    synonyms: ['copy_from_document', 'import_blocks', 'copy_section', 'insert_document'],
    meant: meantCopy,
  },
  compare_with: {
    takes: ['from', 'author?'],
    files: ['from'],
    does: 'writes what differs in another document as tracked changes that lead to it; begin with copy_from to keep the original',
    synonyms: ['compare', 'compare_documents', 'diff_with'],
    meant: meantCopy,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>

export const COPY_FIELDS = {
  from: z.string().describe('Path of another document in the workspace'),
  blocks: z
    .union([z.string(), z.array(z.string())])
    .describe('What to copy there: p3-p9, a heading, t1; without it all'),
}

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
