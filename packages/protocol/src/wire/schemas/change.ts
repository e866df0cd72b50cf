import { z } from 'zod'
import type { ChangeId } from '../../words/ids.ts'
import { typed } from '../typed-text.ts'
import { words } from './words.ts'

/** A change as a person reviews it. */
export function changeSchema() {
  const { text, optional, count, place } = words()
  const side = sideSchema()
  const changeId = typed<ChangeId>(text)
  return z.looseObject({
    ...place,
    id: changeId,
    kind: text,
    place: text,
    before: side.nullable(),
    after: side.nullable(),
    operation: z.looseObject({ toolCallId: text, index: count, op: text }),
    dependsOn: z.array(changeId),
    description: optional,
    labels: z
      .looseObject({
        batchKey: optional,
        fileKey: optional,
        fileLabel: optional,
        changeKey: optional,
      })
      .optional(),
    atomic: z.boolean().optional(),
  })
}

export function diffSchema() {
  const { text } = words()
  return z.looseObject({ path: text, diff: text })
}

function sideSchema() {
  const { text, optional, texts, count } = words()
  return z.looseObject({
    text: optional,
    lines: texts.optional(),
    firstLine: count.optional(),
    lineCount: count.optional(),
    value: z.union([text, z.number(), z.boolean(), z.null()]).optional(),
    formula: optional,
    format: optional,
    path: optional,
    sizeBytes: count.optional(),
  })
}
