import type { ChangeSetSummary } from '@filewright/protocol'
import type { Checkpoint } from '../apply/checkpoints.ts'
import { findStanding } from '../apply/undo.ts'
import type { Draft } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { draftIdsOf } from './change-set-id.ts'

/** What was written, newest first, and where it came from. */
export async function listWrittenSets(
  drafts: Pick<DraftStore, 'find'>,
  newestFirst: readonly Checkpoint[],
  limit: number,
): Promise<readonly ChangeSetSummary[]> {
  const standing = findStanding(newestFirst)
  const changeSets: ChangeSetSummary[] = []
  for (const checkpoint of newestFirst.slice(0, limit)) {
    const { changeSetId, label, time, files, undoes } = checkpoint
    const draft = await draftOf(drafts, checkpoint)
    changeSets.push({
      changeSetId,
      time: new Date(time).toISOString(),
      files: files.map(({ path, docPath, before, after }) => ({ path, docPath, before, after })),
      isStanding: standing.has(changeSetId),
      ...(label && { label }),
      ...(undoes && { undoes }),
      ...(draft && {
        draftId: draft.id,
        sessionId: draft.sessionId,
        toolCallIds: callsOf(draft, checkpoint),
      }),
    })
  }
  return changeSets
}

async function draftOf(
  drafts: Pick<DraftStore, 'find'>,
  { changeSetId }: Checkpoint,
): Promise<Draft | undefined> {
  for (const id of draftIdsOf(changeSetId)) {
    const draft = await drafts.find(id)
    if (draft) return draft
  }
  return undefined
}

/** Whose changes are in these files. */
function callsOf(draft: Draft, { files }: Checkpoint): string[] {
  const calls = files.flatMap(({ docPath }) =>
    (draft.files.get(docPath)?.log.slice() ?? []).map(({ toolCallId }) => toolCallId),
  )
  return [...new Set(calls)]
}
