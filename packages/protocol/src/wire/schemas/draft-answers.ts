import { z } from 'zod'
import type { ChangeSetId } from '../../words/ids.ts'
import { typed } from '../typed-text.ts'
import { changeSchema, diffSchema } from './change.ts'
import { words } from './words.ts'

/** Drafts and their ends. */
export function draftAnswers() {
  const { texts } = words()
  const draft = draftSchema()
  const takenBack = takenBackSchema()
  const conflicts = z.array(conflictSchema())
  return {
    listDrafts: z.array(draft),
    review: z.looseObject({
      draft,
      changes: z.array(changeSchema()),
      diffs: z.array(diffSchema()),
      warnings: texts,
      conflicts: conflicts.optional(),
      executed: executedSchema(),
    }),
    publish: publishedSchema(),
    resolve: z.looseObject({ draft, dropped: texts, conflicts, message: words().text }),
    discard: draft,
    putContent: takenBack,
    listChangeSets: z.looseObject({ changeSets: z.array(changeSetSchema()) }),
    undo: takenBack,
    redo: takenBack,
    restore: takenBack,
  }
}

export function changeSetSchema() {
  const { text, texts, optional, sha256, place } = words()
  return z.looseObject({
    changeSetId: text,
    label: optional,
    time: text,
    files: z.array(
      z.looseObject({ ...place, before: sha256.nullable(), after: sha256.nullable() }),
    ),
    isStanding: z.boolean(),
    undoes: optional,
    draftId: optional,
    sessionId: optional,
    toolCallIds: texts.optional(),
  })
}

export function draftSchema() {
  const { text, optional, count, sha256, place } = words()
  return z.looseObject({
    id: text,
    sessionId: text,
    state: z.enum(['open', 'published', 'discarded', 'damaged']),
    purpose: z.enum(['workshop', 'one-call']),
    trouble: optional,
    label: optional,
    opened: text,
    touched: text,
    revision: count,
    files: z.array(
      z.looseObject({
        ...place,
        action: z.enum(['created', 'changed', 'deleted', 'moved']),
        from: optional,
        changes: count,
        base: sha256.nullable(),
        drifted: z.boolean().optional(),
      }),
    ),
  })
}

export function executedSchema() {
  const { text, texts, place } = words()
  return z.array(z.looseObject({ ...place, why: text, changeIds: texts })).optional()
}

export function conflictSchema() {
  const { text, optional, place } = words()
  return z.looseObject({
    ...place,
    changeId: text,
    message: text,
    isFile: z.boolean().optional(),
    choices: z.looseObject({ theirs: text, ours: optional }),
  })
}

export function publishedSchema() {
  const { text, optional, texts, count, place } = words()
  return z.looseObject({
    draftId: text,
    sessionId: optional,
    changeSetId: text,
    files: z.array(z.looseObject({ ...place, action: text, version: text.nullable() })),
    refused: texts,
    dropped: texts,
    refusedPlaces: texts,
    undecided: count,
    executed: executedSchema(),
    rebased: texts,
    warnings: texts,
    message: text,
  })
}

export function takenBackSchema() {
  const { text, texts, count, sha256, place } = words()
  return z.looseObject({
    changeSetId: typed<ChangeSetId>(text),
    files: z.array(
      z.looseObject({
        ...place,
        realPath: place.path.optional(),
        before: sha256.nullable(),
        after: sha256.nullable(),
        sizeBytes: count,
        mode: count.optional(),
        uid: count.optional(),
        gid: count.optional(),
      }),
    ),
    warnings: texts,
    of: z.looseObject({ draftId: text, sessionId: text }).optional(),
  })
}
