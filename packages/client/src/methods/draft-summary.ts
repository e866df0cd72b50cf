import {
  type DocPath,
  type DraftFileSummary,
  type DraftSummary,
  ok,
  type Result,
} from '@filewright/protocol'
import { type Draft, type DraftFile, isAtIssue, isRespelled } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { isWholeWrite } from '../draft/whole-write.ts'
import { asItWas, type Expected, expectedFiles } from '../publish/expected-files.ts'
import { reviewFiles } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import { makingOf } from '../review/whole-change.ts'

/** A draft at a glance: its files with counts, and which of them changed on disk. */
export async function summarise(
  desk: Desk,
  draft: Draft,
  reviewed?: readonly ReviewedFile[],
): Promise<DraftSummary> {
  return {
    id: draft.id,
    sessionId: draft.sessionId,
    state: draft.state,
    purpose: draft.open.purpose,
    ...(draft.open.label && { label: draft.open.label }),
    opened: draft.open.time,
    touched: draft.touched,
    revision: draft.revision,
    files: await summariseFiles(desk, draft, reviewed),
  }
}

async function summariseFiles(
  desk: Desk,
  draft: Draft,
  given: readonly ReviewedFile[] | undefined,
): Promise<DraftFileSummary[]> {
  const counts = await countsOf(desk, draft, given)
  const expected = await expectedFiles(desk, draft)
  const files: DraftFileSummary[] = []
  for (const file of draft.files.values()) {
    const changes = counts ? counts.get(file.docPath) : countChanges(file)
    if (!isAtIssue(file) || changes === undefined) continue
    const known = expected.ok ? expected.value(file) : asItWas(file)
    const drifted = draft.state === 'open' && (await hasDrifted(desk, file, expected))
    const from = known.written ? undefined : file.origin?.fromPath
    files.push({
      path: file.path,
      docPath: file.docPath,
      action: known.written && !file.isDeleted ? 'changed' : actionOf(file),
      ...(from && { from }),
      changes,
      base: known.sha256,
      ...(drifted && { drifted }),
    })
  }
  return files
}

/** By docPath; undefined where counting without a review will do. A file with no change left has no count. */
async function countsOf(
  desk: Desk,
  draft: Draft,
  given: readonly ReviewedFile[] | undefined,
): Promise<ReadonlyMap<DocPath, number> | undefined> {
  if (!given && draft.published.size === 0) return undefined
  const reviewed = given ? ok(given) : await reviewFiles(desk, draft)
  if (!reviewed.ok) return undefined
  return new Map(reviewed.value.map(({ file, changes }) => [file.docPath, changes.length]))
}

function actionOf(file: DraftFile): DraftFileSummary['action'] {
  if (file.isDeleted) return 'deleted'
  if (file.origin?.how === 'move') return 'moved'
  return file.disk === null ? 'created' : 'changed'
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
async function hasDrifted(
  desk: Desk,
  file: DraftFile,
  expected: Result<Expected>,
): Promise<boolean> {
  if (!expected.ok) return true
  const source = file.origin?.source
  if (source && !isRespelled(file) && (await hasDrifted(desk, source, expected))) return true
  const { sha256 } = expected.value(file)
  const hashed = await desk.workspace.hash(file.docPath)
  if (hashed.ok) return hashed.value.sha256 !== sha256
  return hashed.failure.code === 'NOT_FOUND' ? sha256 !== null : true
}
