import {
  type Change,
  type ChangeId,
  type DocPath,
  type ExecutedFile,
  fail,
  ok,
  type Result,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { Left } from '../publish/choice.ts'
import { findExecuted, findExecutedFiles, waitsForName } from '../publish/executed.ts'
import { canWithdraw } from '../publish/follow-undo.ts'
import { heldIn, idOf, mayBeHeld, refuseBroken } from '../review/held-files.ts'
import { closeOverDependants, neededBy } from '../review/refusals.ts'
import { reviewFiles } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'

export interface ChosenIds {
  /** Publish just these; the others stay in the draft. */
  readonly only?: readonly string[]
  /** Drop these. */
  readonly refused: readonly string[]
}

export interface Chosen extends Left {
  /** Files that stay in the draft because other programs execute them and nobody named their changes. */
  readonly waiting: readonly ExecutedFile[]
  /** Such files whose changes were named. */
  readonly named: readonly DocPath[]
}

const EVERYTHING: Chosen = { refused: [], undecided: [], waiting: [], named: [] }

/**
 * The changes not to publish. What nobody decided on is accepted, unless only some are wanted or other programs execute
 * the file.
 */
export async function chooseChanges(
  desk: Desk,
  draft: Draft,
  { only, refused }: ChosenIds,
): Promise<Result<Chosen>> {
  const isRisky = (await findExecutedFiles(desk, draft)).length > 0
  const mayWait = isRisky || (await mayBeHeld(desk, draft))
  if (only === undefined && refused.length === 0 && !mayWait) return ok(EVERYTHING)
  const reviewed = await reviewFiles(desk, draft)
  if (!reviewed.ok) return reviewed
  const all = reviewed.value.flatMap(file => file.changes)
  const given = [...(only ?? []), ...refused]
  const problem = findUnknown(all, given) ?? findBoth(only ?? [], refused)
  if (problem) return problem
  const broken = refuseBroken(reviewed.value, given)
  if (!broken.ok) return broken
  const gone = closeOverDependants(all, refused as ChangeId[]).refused
  const executed = isRisky ? await findExecuted(desk, reviewed.value) : []
  const held = heldIn(reviewed.value)
  const unnamed = [...executed, ...held].flatMap(({ changeIds }) => changeIds) as ChangeId[]
  const stays = [...unnamed, ...reviewed.value.filter(own => own.broken).map(idOf)]
  const wanted = new Set(only ? withMoot(reviewed.value, only) : withoutUnnamed(all, stays))
  const undecided = all.map(({ id }) => id).filter(id => !wanted.has(id) && !gone.has(id))
  const accepted = all.map(({ id }) => id).filter(id => wanted.has(id) && !gone.has(id))
  const lacking = undecided.length > 0 ? neededBy(all, accepted) : []
  if (lacking.length > 0) return lacks(all, accepted, lacking)
  const stuck = undecided.length > 0 ? findStuck(reviewed.value, gone) : undefined
  if (stuck) return stuck
  const isLeft = new Set<string>(undecided)
  const isTaken = new Set<string>(accepted)
  const isWaiting = ({ changeIds }: ExecutedFile) =>
    changeIds.length === 0 || changeIds.some(id => isLeft.has(id))
  const waiting = [...executed, ...held].filter(isWaiting)
  if (waiting.length > 0 && accepted.length === 0 && only === undefined)
    return waitsForName(waiting, howToName(waiting))
  const named = executed.filter(file => file.changeIds.some(id => isTaken.has(id)))
  return ok({
    refused: refused as ChangeId[],
    undecided,
    waiting: only ? [] : waiting,
    named: named.map(({ docPath }) => docPath as DocPath),
  })
}

/** With what depends on them. */
function withoutUnnamed(all: readonly Change[], unnamed: readonly ChangeId[]): ChangeId[] {
  const held = closeOverDependants(all, unnamed).refused
  return all.map(({ id }) => id).filter(id => !held.has(id))
}

export function howToName(files: readonly ExecutedFile[]): string {
  const ids = [...new Set(files.flatMap(({ changeIds }) => changeIds))]
  return ids.length > 0 ? `filewright publish --yes --only ${ids.join(' ')}` : ''
}

/** With a file that is deleted, its earlier edits are decided too. */
function withMoot(reviewed: readonly ReviewedFile[], only: readonly string[]): string[] {
  const named = new Set(only)
  const deleted = reviewed.filter(
    ({ file, whole }) => file.isDeleted && whole && named.has(whole.id),
  )
  return [...only, ...deleted.flatMap(({ changes }) => changes.map(({ id }) => id))]
}

function findUnknown(all: readonly Change[], named: readonly string[]): Result<never> | undefined {
  const known = new Set<string>(all.map(({ id }) => id))
  const unknown = named.filter(id => !known.has(id))
  if (unknown.length === 0) return undefined
  return fail(
    'NOT_FOUND',
    `Nothing was written: the draft has no change ${unknown.join(', ')}. "filewright review" lists its changes.`,
  )
}

function findBoth(only: readonly string[], refused: readonly string[]): Result<never> | undefined {
  const both = only.filter(id => refused.includes(id))
  if (both.length === 0) return undefined
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was written, and the draft is unchanged: ${both.join(', ')} cannot be both published and refused. Name each change once.`,
  )
}

/** Beside changes that stay, only those inside a file can be dropped: a file comes, goes or moves as a whole. */
function findStuck(
  reviewed: readonly ReviewedFile[],
  gone: ReadonlySet<ChangeId>,
): Result<never> | undefined {
  const stuck = reviewed.flatMap(({ file, changes }) =>
    changes.filter(change => gone.has(change.id) && !canWithdraw(file, change)).map(({ id }) => id),
  )
  if (stuck.length === 0) return undefined
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was written, and the draft is unchanged: ${stuck.join(', ')} cannot be refused while other changes stay in the draft, because a file is created, moved or deleted there. Publish with --only first, and refuse in the last publish.`,
  )
}

function lacks(
  all: readonly Change[],
  accepted: readonly ChangeId[],
  lacking: readonly ChangeId[],
): Result<never> {
  const needs = new Set(lacking)
  const dependants = accepted.filter(id => neededBy(all, [id]).some(other => needs.has(other)))
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was written, and the draft is unchanged: ${dependants.join(', ')} cannot be applied without changes that were left out. Name those too: ${lacking.join(', ')}.`,
  )
}
