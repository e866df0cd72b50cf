import { z } from 'zod'
import { words } from './words.ts'

/** A file that a call changed. */
export function effectSchema() {
  const { text, optional, count, place } = words()
  return z.looseObject({
    ...place,
    where: z.enum(['draft', 'workspace']),
    action: z.enum(['created', 'changed', 'deleted', 'moved']),
    count,
    unit: text,
    from: optional,
    draftId: optional,
    before: text.nullable().optional(),
    after: text.nullable().optional(),
  })
}
