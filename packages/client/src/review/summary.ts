import type { DocPath, DraftFileSummary, DraftSummary } from '@filewright/protocol'
import { type Draft, type DraftFile, isAtIssue, isRespelled } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { isWholeWrite } from '../draft/whole-write.ts'
import type { ReviewedFile } from './reviewed-file.ts'
import { makingOf } from './whole-change.ts'

/** A draft at a glance: its files with counts, and which of them changed on disk. */
export async function summarise(
  desk: Desk,
  draft: Draft,
  reviewed?: readonly ReviewedFile[],
): Promise<DraftSummary> {
  const counts = new Map<DocPath, number>(
    (reviewed ?? []).map(({ file, changes }) => [file.docPath, changes.length]),
  )
  const files: DraftFileSummary[] = []
  for (const file of draft.files.values()) {
    if (!isAtIssue(file)) continue
    const drifted = draft.state === 'open' && (await hasDrifted(desk, file))
    files.push({
      path: file.path,
      docPath: file.docPath,
      action: file.isDeleted
        ? 'deleted'
        : file.origin?.how === 'move'
          ? 'moved'
          : file.disk === null
            ? 'created'
            : 'changed',
      ...(file.origin && { from: file.origin.fromPath }),
      changes: counts.get(file.docPath) ?? countChanges(file),
      base: file.disk,
      ...(drifted && { drifted }),
    })
  }
  return {
    id: draft.id,
    sessionId: draft.sessionId,
    state: draft.state,
    purpose: draft.open.purpose,
    ...(draft.open.label && { label: draft.open.label }),
    opened: draft.open.time,
    touched: draft.touched,
    revision: draft.revision,
    files,
  }
}

/** The number of changes a review would list, without making one. */
function countChanges(file: DraftFile): number {
  const inside = (file.deletion?.edited ?? file).changeCount ?? 0
  const isWhole = file.isDeleted || file.origin !== undefined || makingOf(file) !== undefined
  if (!isWhole) return inside
  const isMade = !file.origin && isWholeWrite(file.format, file.log.at(0)?.operation.op)
  return isMade ? Math.max(1, inside) : inside + 1
}

/** Includes its origin when moved: it can no longer be moved away from there. */
async function hasDrifted(desk: Desk, file: DraftFile): Promise<boolean> {
  const source = file.origin?.source
  if (source && !isRespelled(file) && (await hasDrifted(desk, source))) return true
  const hashed = await desk.workspace.hash(file.docPath)
  if (hashed.ok) return hashed.value.sha256 !== file.disk
  return hashed.failure.code === 'NOT_FOUND' ? file.disk !== null : true
}
