import { type ChangeSetId, fail, ok, type Result, type TakenBack } from '@filewright/protocol'
import type { DraftStore } from '../draft/draft-store.ts'
import type { MethodTable } from '../link/answerer.ts'
import { changeSetIdOf, draftIdOf } from '../publish/change-set-id.ts'
import type { DiskWriter } from '../publish/disk-writer.ts'
import { chooseDraft } from './choose-draft.ts'

export interface UndoMethodsPorts {
  readonly drafts: DraftStore
  readonly writer: DiskWriter
}

/** A person's undo and redo: of a change set, of a draft's changes, or of the last. */
export function createUndoMethods({
  drafts,
  writer,
}: UndoMethodsPorts): Pick<MethodTable, 'undo' | 'redo'> {
  async function takeBack(
    way: 'undo' | 'redo',
    { changeSetId, draftId }: { readonly changeSetId?: string; readonly draftId?: string },
  ): Promise<Result<TakenBack>> {
    const ofDraft = draftId === undefined ? ok(undefined) : await writtenBy(draftId)
    if (!ofDraft.ok) return ofDraft
    const taken = await writer.takeBack(way, (changeSetId as ChangeSetId) ?? ofDraft.value)
    if (!taken.ok) return taken
    const draft = await drafts.find(draftIdOf(taken.value.changeSetId))
    const of = draft && { draftId: draft.id, sessionId: draft.sessionId }
    return ok({ ...taken.value.applied, ...(of && { of }) })
  }

  async function writtenBy(draftId: string): Promise<Result<ChangeSetId>> {
    const draft = await chooseDraft(drafts, draftId)
    if (!draft.ok) return draft
    if (draft.value.state === 'published') return ok(changeSetIdOf(draft.value.id))
    return fail(
      'CONFLICT',
      `Nothing was written: the draft ${draftId} is ${draft.value.state}, so nothing of it is in the files.`,
    )
  }

  return {
    undo: params => takeBack('undo', params),
    redo: params => takeBack('redo', params),
  }
}
