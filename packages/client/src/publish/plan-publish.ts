import {
  type Change,
  type ChangeId,
  type ChangeSet,
  type Failure,
  type FileChange,
  fail,
  ok,
  type Result,
} from '@filewright/protocol'
import { type Draft, type DraftFile, isRespelled, unspelled } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { operationKey, operationKeys } from '../review/operation-key.ts'
import { closeOverDependants } from '../review/refusals.ts'
import { reviewFiles } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import { changeSetIdOf } from './change-set-id.ts'
import { goneButChanged, joinConflicts } from './conflicts.ts'
import { currentOnDisk } from './on-disk.ts'
import { type FilePlan, planFile, toDeletion } from './plan-file.ts'

/** A draft made ready to be applied. */
export interface PublishPlan {
  readonly changeSet: ChangeSet
  /** With its file and place. */
  readonly refused: ReadonlyMap<ChangeId, string>
  /** Went with a refused change. */
  readonly dropped: readonly ChangeId[]
  /** Of files whose disk had moved on: the bytes found there, onto which every change was mapped. */
  readonly rebasedOn: ReadonlyMap<string, Uint8Array>
  /** Old lines to new lines, of rebased and plain text files. */
  readonly lineMaps: ReadonlyMap<string, unknown>
  /** What replacing texts as a whole does to their form. */
  readonly warnings: readonly string[]
}

/** Replays the accepted changes on their bases, and onto the disk where it moved on and that is proven. */
export async function planPublish(
  desk: Desk,
  draft: Draft,
  refusedIds: Iterable<ChangeId>,
): Promise<Result<PublishPlan>> {
  const reviewed = await reviewFiles(desk, draft)
  if (!reviewed.ok) return reviewed
  const all = reviewed.value.flatMap(file => file.changes)
  const unknown = findUnknown(all, refusedIds)
  if (unknown) return unknown
  const { refused, dropped } = closeOverDependants(all, refusedIds)
  const planned = await planFiles(desk, draft, reviewed.value, refused)
  if (!planned.ok) return planned
  const { label } = draft.open
  const { files, ...rest } = planned.value
  const places = all
    .filter(({ id }) => refused.has(id))
    .map(({ id, path, place }) => [id, `${path}, ${place}`] as const)
  return ok({
    ...rest,
    changeSet: { id: changeSetIdOf(draft.id), ...(label && { label }), files },
    refused: new Map(places),
    dropped,
  })
}

const MOST_IDS = 100 // named in a refusal

function findUnknown(
  all: readonly Change[],
  refusedIds: Iterable<ChangeId>,
): Result<never> | undefined {
  const known = new Set(all.map(({ id }) => id))
  const unknown = [...refusedIds].filter(id => !known.has(id))
  if (unknown.length === 0) return undefined
  const named = all.slice(0, MOST_IDS).map(({ id }) => id)
  const more = all.length > MOST_IDS ? ` and ${all.length - MOST_IDS} more` : ''
  return fail(
    'NOT_FOUND',
    `Nothing was written: the draft has no change ${unknown.join(', ')}. Its changes are ${named.join(', ')}${more}.`,
  )
}

type Planned = FilePlan & { readonly docPath: string }

type PlannedFiles = Pick<PublishPlan, 'rebasedOn' | 'lineMaps' | 'warnings'> & {
  readonly files: readonly FileChange[]
}

async function planFiles(
  desk: Desk,
  draft: Draft,
  reviewed: readonly ReviewedFile[],
  refused: ReadonlySet<ChangeId>,
): Promise<Result<PlannedFiles>> {
  const plans: Planned[] = []
  const left: DraftFile[] = []
  const conflicts: Failure[] = []
  for (const each of reviewed) {
    const isWhole = !each.whole || !refused.has(each.whole.id)
    const kept = isWhole ? each : withoutWhole(each)
    if (!kept) continue
    const planned = await planFile(desk, draft, kept, refused)
    if (planned.ok) {
      plans.push({ docPath: kept.file.docPath, ...planned.value })
      if (isWhole && each.file.origin?.source) left.push(each.file.origin.source)
    } else if (planned.failure.code === 'CONFLICT') conflicts.push(planned.failure)
    else return planned
  }
  const occupied = new Set(plans.filter(plan => plan.isThere).map(({ docPath }) => docPath))
  const emptied = await planEmptied(
    desk,
    left.filter(({ docPath }) => !occupied.has(docPath)),
  )
  if (!emptied.ok) return emptied
  conflicts.push(...emptied.value.conflicts)
  return conflicts.length > 0 ? joinConflicts(conflicts) : ok(collect(plans, emptied.value.files))
}

/** The places that files were moved away from, and to which nothing came. */
async function planEmptied(desk: Desk, sources: readonly DraftFile[]) {
  const files: FileChange[] = []
  const conflicts: Failure[] = []
  for (const source of sources) {
    const found = await currentOnDisk(desk, source)
    if (!found.ok) return found
    const { sha256 } = found.value
    if (sha256 === source.disk) files.push(toDeletion(source))
    else conflicts.push(goneButChanged('moved', source, sha256).failure)
  }
  return ok({ files, conflicts })
}

function collect(plans: readonly Planned[], emptied: readonly FileChange[]): PlannedFiles {
  const files: FileChange[] = []
  const rebasedOn = new Map<string, Uint8Array>()
  const lineMaps = new Map<string, unknown>()
  const warnings: string[] = []
  for (const { docPath, ...plan } of plans) {
    files.push(...plan.changes)
    if (plan.found) rebasedOn.set(docPath, plan.found)
    if (plan.lineMap) lineMaps.set(docPath, plan.lineMap)
    warnings.push(...(plan.warnings ?? []))
  }
  return { files: [...files, ...emptied], rebasedOn, lineMaps, warnings }
}

/** The move or deletion is refused: what was done to the file before it stays, where the file is. */
function withoutWhole(reviewed: ReviewedFile): ReviewedFile | undefined {
  const { file, whole, changes } = reviewed
  const inside = changes.filter(({ id }) => id !== whole?.id)
  if (isRespelled(file)) return { file: unspelled(file), changes: inside }
  if (file.deletion?.edited) return { file: file.deletion.edited, changes: inside }
  const source = file.origin?.source
  if (!source || source.log.length === 0) return undefined
  const before = operationKeys(source.log.slice())
  const own = changes.filter(({ operation }) => before.has(operationKey(operation)))
  return { file: source, changes: own }
}
