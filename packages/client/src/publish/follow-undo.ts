import { findFormat } from '@filewright/documents'
import {
  type Change,
  type ChangeId,
  counted,
  type DraftLine,
  ok,
  type Result,
  type WithdrawnChanges,
} from '@filewright/protocol'
import type { Checkpoint } from '../apply/checkpoints.ts'
import { findUndone } from '../apply/undo.ts'
import type { Draft, DraftFile, PublishedPart } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import type { Desk } from '../draft/draft-view.ts'
import { neededBy } from '../review/refusals.ts'
import { reviewAll } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'

export interface FollowPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly now: () => Date
}

/**
 * A part of an open draft is undone or redone on disk: the rest of the draft goes on from the files as they are now. An
 * undone change leaves the draft too, unless the rest needs it: then it is undecided again. Returns what to say.
 */
export async function followUndo(
  { desk, drafts, now }: FollowPorts,
  draft: Draft,
  way: 'undo' | 'redo',
  part: PublishedPart,
): Promise<Result<readonly string[]>> {
  const reviewed = await reviewAll(desk, draft)
  if (!reviewed.ok) return reviewed
  const withdrawn = way === 'undo' ? withdrawable(reviewed.value, part) : []
  const { changeSetId } = part
  const time = now().toISOString()
  const line: DraftLine = { type: 'taken-back', way, changeSetId, withdrawn, time }
  await drafts.append(draft.id, [line])
  return ok(way === 'undo' ? describeReturned(draft, reviewed.value, part, withdrawn) : [])
}

/** After a restart: parts that were undone or redone on disk just before the end of the process. */
export async function followCutOff(
  ports: FollowPorts,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  const undone = findUndone(checkpoints)
  for (const draft of ports.drafts.open())
    for (const part of [...draft.parts]) {
      const isUndone = undone.has(part.changeSetId)
      if (isUndone !== draft.undone.has(part.changeSetId))
        await followUndo(ports, draft, isUndone ? 'undo' : 'redo', part)
    }
}

/** The undone changes that nothing else in the draft needs. */
function withdrawable(
  reviewed: readonly ReviewedFile[],
  { changeIds }: PublishedPart,
): WithdrawnChanges[] {
  const undone = new Set(changeIds)
  const mayLeave = (file: DraftFile, change: Change) =>
    undone.has(change.id) && canWithdraw(file, change)
  const staying = reviewed.flatMap(({ file, changes }) =>
    changes.filter(change => !mayLeave(file, change)).map(({ id }) => id),
  )
  const all = reviewed.flatMap(({ changes }) => changes)
  const needed = new Set(neededBy(all, staying))
  return reviewed.flatMap(({ file, changes }) => {
    const own = changes.filter(change => mayLeave(file, change) && !needed.has(change.id))
    return own.length > 0 ? [{ docPath: file.docPath, changeIds: own.map(({ id }) => id) }] : []
  })
}

/** A file that is created, moved or deleted is decided on as a whole. */
export function canWithdraw(
  { format, origin, under, isDeleted }: DraftFile,
  { kind }: Change,
): boolean {
  const isPlain = !origin && !under && !isDeleted
  return isPlain && kind !== 'file' && findFormat(format)?.has.withdraw === true
}

function describeReturned(
  { id }: Draft,
  reviewed: readonly ReviewedFile[],
  { changeIds }: PublishedPart,
  withdrawn: readonly WithdrawnChanges[],
): string[] {
  const gone = new Set<ChangeId>(withdrawn.flatMap(each => each.changeIds))
  const undone = new Set(changeIds)
  const isBack = (change: Change) => undone.has(change.id) && !gone.has(change.id)
  const back = reviewed.flatMap(({ changes }) => changes.filter(isBack)).length
  if (back === 0) return []
  return [
    `${counted(back, 'undone change')} ${back === 1 ? 'is' : 'are'} in the draft ${id} again: the rest of it needs ${back === 1 ? 'it' : 'them'}, or a whole file is decided on.`,
  ]
}
