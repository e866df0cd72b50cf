import {
  type Change,
  type ChangeId,
  type DraftConflict,
  fail,
  type Result,
} from '@filewright/protocol'
import type { MetFile } from './find-conflicts.ts'

export interface Resolving {
  readonly changeIds: readonly string[]
  /** Ours is the draft's change; theirs is what is on disk. */
  readonly side: 'ours' | 'theirs'
  readonly by: string
  readonly time: string
}

interface Asked {
  readonly met: readonly MetFile[]
  /** Those that the person named. */
  readonly chosen: readonly MetFile[]
  readonly all: readonly Change[]
  /** Changes that would leave the draft, dependants included. */
  readonly gone: ReadonlySet<ChangeId>
}

/** Why a decision cannot be carried out; undefined: it can. */
export function checkSides(
  { met, chosen, all, gone }: Asked,
  { changeIds, side }: Resolving,
): Result<never> | undefined {
  const known = new Set(chosen.flatMap(namesOf))
  const unknown = changeIds.filter(id => !known.has(id))
  const open = met.flatMap(({ conflicts }) => conflicts)
  if (unknown.length > 0) return notInConflict(unknown, open)
  const own = new Set(chosen.flatMap(({ reviewed }) => reviewed.changes.map(({ id }) => id)))
  const elsewhere = all.filter(({ id }) => gone.has(id) && !own.has(id))
  if (elsewhere.length > 0) return neededElsewhere(elsewhere)
  if (side === 'theirs') return undefined
  const decided = chosen.flatMap(({ whole, conflicts }) =>
    whole ? conflicts : conflicts.filter(({ changeId }) => changeIds.includes(changeId)),
  )
  const lost = decided.filter(({ choices }) => choices.ours === undefined)
  if (lost.length > 0) return noPlace(lost)
  const left = chosen.flatMap(({ whole, conflicts }) =>
    whole ? [] : conflicts.filter(({ changeId }) => !changeIds.includes(changeId)),
  )
  return left.length > 0 ? decideOthersFirst(left) : undefined
}

/** A file in conflict is named by any of its changes. */
export function namesOf({ whole, conflicts, reviewed }: MetFile): readonly string[] {
  return whole ? reviewed.changes.map(({ id }) => id) : conflicts.map(({ changeId }) => changeId)
}

function notInConflict(unknown: readonly string[], open: readonly DraftConflict[]): Result<never> {
  const known =
    open.length === 0
      ? 'No change of the draft is in conflict: publish it.'
      : `In conflict are ${open.map(({ changeId, path }) => `${changeId} (${path})`).join(', ')}.`
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was decided: ${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} not in conflict. ${known}`,
  )
}

function neededElsewhere(elsewhere: readonly Change[]): Result<never> {
  const names = elsewhere.map(({ id, path }) => `${id} (${path})`).join(', ')
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was decided: ${names} ${elsewhere.length === 1 ? 'needs' : 'need'} what would be given up. Publish without ${elsewhere.length === 1 ? 'it' : 'them'} first ("filewright publish --refuse"), or discard the draft.`,
  )
}

function noPlace(lost: readonly DraftConflict[]): Result<never> {
  const places = lost.map(({ changeId, message }) => `${changeId} (${message})`).join(', ')
  return fail(
    'CONFLICT',
    `Nothing was decided: nothing proves where ${places} would go in the file as it is now. Give ${lost.length === 1 ? 'it' : 'them'} up with --theirs, and make the change again on that file.`,
    { details: { conflicts: lost } },
  )
}

function decideOthersFirst(left: readonly DraftConflict[]): Result<never> {
  const ids = left.map(({ changeId }) => changeId)
  const one = ids.length === 1
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was decided: ${ids.join(', ')} of the same file ${one ? 'is' : 'are'} in conflict too. Name ${one ? 'it' : 'them'} as well, or give ${one ? 'it' : 'them'} up first with --theirs.`,
    { details: { conflicts: left } },
  )
}
