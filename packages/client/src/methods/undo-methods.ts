import {
  type ChangeSetId,
  type DocPath,
  fail,
  ok,
  parseDocPath,
  type Result,
  type serialise,
  type TakeBackParams,
  type TakenBack,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { MethodTable } from '../link/answerer.ts'
import { changeSetIdOf, draftIdsOf } from '../publish/change-set-id.ts'
import type { DiskWriter } from '../publish/disk-writer.ts'
import { type FollowPorts, followUndo } from '../publish/follow-undo.ts'
import { chooseDraft } from './choose-draft.ts'

export interface UndoMethodsPorts extends FollowPorts {
  readonly writer: DiskWriter
  readonly oneAtATime: ReturnType<typeof serialise>
}

/**
 * A person's undo and redo, of a change set, of a draft's changes, or of the last; and what brings back the bytes of
 * another program.
 */
export function createUndoMethods(
  ports: UndoMethodsPorts,
): Pick<MethodTable, 'undo' | 'redo' | 'restore'> {
  const { drafts, writer, oneAtATime } = ports
  async function takeBack(
    way: 'undo' | 'redo',
    { changeSetId, draftId, named }: TakeBackParams,
  ): Promise<Result<TakenBack>> {
    const ofDraft = draftId === undefined ? ok(undefined) : await writtenBy(way, draftId)
    if (!ofDraft.ok) return ofDraft
    const taken = await writer.takeBack(way, (changeSetId as ChangeSetId) ?? ofDraft.value, {
      named: toNamed(named),
    })
    if (!taken.ok) return taken
    const draft = await findWriter(taken.value.changeSetId)
    const { applied } = taken.value
    if (!draft) return ok(applied)
    const notes = await oneAtATime(draft.sessionId, () => follow(way, taken.value.changeSetId))
    if (!notes.ok) return notes
    const of = { draftId: draft.id, sessionId: draft.sessionId }
    return ok({ ...applied, warnings: [...applied.warnings, ...notes.value], of })
  }

  /** The rest of a draft that is published in parts goes on from what is on disk now. */
  async function follow(
    way: 'undo' | 'redo',
    changeSetId: ChangeSetId,
  ): Promise<Result<readonly string[]>> {
    const draft = await findWriter(changeSetId)
    const part = draft?.parts.find(each => each.changeSetId === changeSetId)
    if (draft?.state !== 'open' || !part) return ok([])
    return followUndo(ports, draft, way, part)
  }

  async function findWriter(changeSetId: ChangeSetId): Promise<Draft | undefined> {
    for (const id of draftIdsOf(changeSetId)) {
      const draft = await drafts.find(id)
      if (draft) return draft
    }
    return undefined
  }

  async function writtenBy(way: 'undo' | 'redo', draftId: string): Promise<Result<ChangeSetId>> {
    const draft = await chooseDraft(drafts, draftId)
    if (!draft.ok) return draft
    if (draft.value.state === 'published') return ok(changeSetIdOf(draft.value))
    const part = draft.value.parts.findLast(
      each => draft.value.undone.has(each.changeSetId) === (way === 'redo'),
    )
    if (part) return ok(part.changeSetId)
    return fail(
      'CONFLICT',
      `Nothing was written: the draft ${draftId} is ${draft.value.state}, so nothing of it is in the files.`,
    )
  }

  return {
    undo: params => takeBack('undo', params),
    redo: params => takeBack('redo', params),
    restore: ({ id, named }) => writer.restore(id, { named: toNamed(named) }),
  }
}

/** Any spelling of them. */
function toNamed(paths: readonly string[] = []): readonly DocPath[] {
  return paths.flatMap(path => {
    const parsed = parseDocPath(path)
    return parsed.ok ? [parsed.value] : []
  })
}
