import type { ChangeSet, Failure, FileChange, Result } from '@filewright/protocol'
import { type ChangeId, ok } from '@filewright/protocol'
import { type Draft, type DraftFile, isAtIssue } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { changeSetIdOf } from './change-set-id.ts'
import { goneButChanged, joinConflicts } from './conflicts.ts'
import { narrowDraft } from './narrow-draft.ts'
import { currentOnDisk } from './on-disk.ts'
import { type Choice, type ChosenFile, type FilePlan, planFile, toDeletion } from './plan-file.ts'

/** A draft ready to be applied. */
export interface PublishPlan extends Pick<Choice, 'refused' | 'dropped'> {
  readonly changeSet: ChangeSet
  /** For files changed on disk: the bytes found there, onto which every change was mapped. */
  readonly rebasedOn: ReadonlyMap<string, Uint8Array>
  /** Old lines to new lines, for rebased and plain text files. */
  readonly lineMaps: ReadonlyMap<string, unknown>
  /** Changes of form when texts are replaced completely. */
  readonly warnings: readonly string[]
}

/** Replays the accepted changes on their bases, or onto a changed disk where that is proven. */
export async function planPublish(
  desk: Desk,
  draft: Draft,
  refusedIds: readonly ChangeId[],
): Promise<Result<PublishPlan>> {
  const chosen =
    refusedIds.length === 0 ? ok(wholeDraft(draft)) : await narrowDraft(desk, draft, refusedIds)
  if (!chosen.ok) return chosen
  const planned = await planFiles(desk, draft, chosen.value.files)
  if (!planned.ok) return planned
  const { refused, dropped } = chosen.value
  const { files, ...rest } = planned.value
  const { label } = draft.open
  const changeSet = { id: changeSetIdOf(draft.id), ...(label && { label }), files }
  return ok({ ...rest, changeSet, refused, dropped })
}

const NONE: ReadonlySet<never> = new Set()

/** Everything: needs no review. */
function wholeDraft(draft: Draft): Choice {
  const files = [...draft.files.values()].filter(isAtIssue).map(file => ({
    file,
    refused: NONE,
    ...(file.origin?.source && { leaves: file.origin.source }),
  }))
  return { files, refused: new Map(), dropped: [] }
}

type NamedPlan = FilePlan & { readonly docPath: string }

type PlannedFiles = Pick<PublishPlan, 'rebasedOn' | 'lineMaps' | 'warnings'> & {
  readonly files: readonly FileChange[]
}

async function planFiles(
  desk: Desk,
  draft: Draft,
  chosen: readonly ChosenFile[],
): Promise<Result<PlannedFiles>> {
  const plans: NamedPlan[] = []
  const left: DraftFile[] = []
  const conflicts: Failure[] = []
  for (const each of chosen) {
    const planned = await planFile(desk, draft, each)
    if (planned.ok) {
      plans.push({ docPath: each.file.docPath, ...planned.value })
      if (each.leaves) left.push(each.leaves)
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

/** Places that files were moved away from and that stay empty. */
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

function collect(plans: readonly NamedPlan[], emptied: readonly FileChange[]): PlannedFiles {
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
