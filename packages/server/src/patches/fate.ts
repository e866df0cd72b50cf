import type { Fate, FateStep } from './patches.ts'

/** The steps of a target within its batch: its own and those of its parents, oldest first. */
export function stepsOf(all: readonly TargetStep[], targets: readonly string[]): FateStep[] {
  return all
    .filter(step => targets.includes(step.target))
    .map(({ fate, time, reason }) => ({ fate, time, ...(reason !== null && { reason }) }))
}

export interface TargetStep {
  readonly target: string
  readonly fate: Fate
  readonly time: string
  readonly reason: string | null
}

/** A refused change stays refused while its batch proceeds; a written change stays written. */
export function fateOf(steps: readonly FateStep[]): Fate {
  let current: Fate = 'stored'
  for (const { fate } of steps) if (follows(current, fate)) current = fate
  return current
}

export function follows(current: Fate, next: Fate): boolean {
  if (isFinal(current)) return false
  if (isFinal(next)) return RANK[current] < RANK.applied
  return RANK[next] > RANK[current]
}

/** The step was taken before or lies behind the current one: a report repeated after a crash is not an error. */
export function isRepeated(current: Fate, next: Fate): boolean {
  return current === next || (!isFinal(current) && !isFinal(next) && RANK[next] <= RANK[current])
}

function isFinal(fate: Fate): boolean {
  return fate === 'refused' || fate === 'conflict'
}

const RANK = { stored: 0, approved: 1, applied: 2, uploaded: 3, refused: 4, conflict: 4 } as const
