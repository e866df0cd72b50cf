import type { ChangeSet, Failure, FileChange, Result } from '@filewright/protocol'
import { ok } from '@filewright/protocol'
import { type Draft, type DraftFile, isAtIssue } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { changeSetIdOf } from './change-set-id.ts'
import type { Choice, ChosenFile, Left } from './choice.ts'
import { goneButChanged, joinConflicts } from './conflicts.ts'
import { type Expected, expectedFiles } from './expected-files.ts'
import { narrowDraft } from './narrow-draft.ts'
import { currentOnDisk } from './on-disk.ts'
import { type FilePlan, planFile, toDeletion } from './plan-file.ts'

/** A draft ready to be applied. */
export interface PublishPlan extends Omit<Choice, 'files'> {
  readonly changeSet: ChangeSet
  /** For files changed on disk: the bytes found there, onto which every change was mapped. */
  readonly rebasedOn: ReadonlyMap<string, Uint8Array>
  /** Old lines to new lines, for rebased and plain text files. */
  readonly lineMaps: ReadonlyMap<string, unknown>
  /** Changes of form when text files are replaced completely. */
  readonly warnings: readonly string[]
}

/** Replays the accepted changes on their bases, or onto a changed disk where that is proven. */
export async function planPublish(
  desk: Desk,
  draft: Draft,
  left: Left = NOTHING,
): Promise<Result<PublishPlan>> {
  const isWhole = left.refused.length + left.undecided.length + draft.published.size === 0
  const chosen = isWhole ? ok(wholeDraft(draft)) : await narrowDraft(desk, draft, left)
  if (!chosen.ok) return chosen
  const planned = await planFiles(desk, draft, chosen.value.files)
  if (!planned.ok) return planned
  const { files: _, ...choice } = chosen.value
  const { files, ...rest } = planned.value
  const { label } = draft.open
  const changeSet = { id: changeSetIdOf(draft), ...(label && { label }), files }
  return ok({ ...rest, ...choice, changeSet })
}

const NOTHING: Left = { refused: [], undecided: [] }
const NONE: ReadonlySet<never> = new Set()

/** Everything: needs no review. */
function wholeDraft(draft: Draft): Choice {
  const files = [...draft.files.values()].filter(isAtIssue).map(file => ({
    file,
    refused: NONE,
    ...(file.origin?.source && { leaves: file.origin.source }),
  }))
  return { files, refused: new Map(), dropped: [], changeIds: [], done: [], withdrawn: [] }
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
  const expected = await expectedFiles(desk, draft)
  if (!expected.ok) return expected
  const plans: NamedPlan[] = []
  const left: DraftFile[] = []
  const conflicts: Failure[] = []
  for (const each of chosen) {
    const planned = await planFile(desk, draft, each, expected.value(each.file))
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
    expected.value,
  )
  if (!emptied.ok) return emptied
  conflicts.push(...emptied.value.conflicts)
  return conflicts.length > 0 ? joinConflicts(conflicts) : ok(collect(plans, emptied.value.files))
}

/** Places that files were moved away from and that stay empty. */
async function planEmptied(desk: Desk, sources: readonly DraftFile[], expected: Expected) {
  const files: FileChange[] = []
  const conflicts: Failure[] = []
  for (const source of sources) {
    const found = await currentOnDisk(desk, source)
    if (!found.ok) return found
    const { sha256 } = found.value
    const known = expected(source)
    if (known.sha256 === null && sha256 === null) continue // an earlier part moved it
    if (sha256 === known.sha256) files.push(toDeletion(source, known))
    else conflicts.push(goneButChanged('moved', source, known, sha256).failure)
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
