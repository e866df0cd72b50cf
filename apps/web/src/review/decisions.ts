import type { Change } from '@filewright/protocol'
import { reach, relate } from '../change/refused-changes.ts'

/** Publish it, drop it, or let it stay in the draft. */
export type ChangeVerdict = 'accept' | 'refuse' | 'leave'

/** What was decided so far; a change without an entry is accepted. */
export type Decisions = ReadonlyMap<string, ChangeVerdict>

export function verdictOn(decisions: Decisions, change: Pick<Change, 'id'>): ChangeVerdict {
  return decisions.get(change.id) ?? 'accept'
}

/**
 * Decides on some changes and on what hangs on them: an accepted one brings what it builds on, a refused one takes along
 * what builds on it, and nothing is accepted on top of one that stays behind.
 */
export function decide(
  decisions: Decisions,
  chosen: readonly Change[],
  verdict: ChangeVerdict,
  changes: readonly Change[],
): Decisions {
  const { needed, dependants, together } = relate(changes)
  const beside = verdict === 'accept' ? needed : dependants
  const reached = reach(chosen, change => [...beside(change), ...together(change)])
  const next = new Map(decisions)
  for (const id of reached) {
    const isRefusedAlready = verdict === 'leave' && next.get(id) === 'refuse' && !isIn(chosen, id)
    if (!isRefusedAlready) next.set(id, verdict)
  }
  return next
}

/** How many others a decision has changed. */
export function wentAlong(
  before: Decisions,
  after: Decisions,
  chosen: readonly Change[],
  changes: readonly Change[],
): number {
  const own = new Set<string>(chosen.map(({ id }) => id))
  return changes.filter(
    change => !own.has(change.id) && verdictOn(before, change) !== verdictOn(after, change),
  ).length
}

function isIn(chosen: readonly Change[], id: string): boolean {
  return chosen.some(change => change.id === id)
}

export interface Split {
  readonly accepted: readonly Change[]
  readonly refused: readonly Change[]
  readonly left: readonly Change[]
}

export function split(decisions: Decisions, changes: readonly Change[]): Split {
  const of = (verdict: ChangeVerdict) =>
    changes.filter(change => verdictOn(decisions, change) === verdict)
  return { accepted: of('accept'), refused: of('refuse'), left: of('leave') }
}

/** What `publish` is asked for: only what has to be named. */
export function toChoice({ accepted, refused, left }: Split): {
  readonly only?: string[]
  readonly refused?: string[]
} {
  const ids = (changes: readonly Change[]) => changes.map(({ id }) => id)
  return {
    ...(left.length > 0 && { only: ids(accepted) }),
    ...(refused.length > 0 && { refused: ids(refused) }),
  }
}
