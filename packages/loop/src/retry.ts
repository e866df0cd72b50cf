import type { FailureCause, ModelFailure } from './model.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000 // beyond this a person should know rather than wait

/** What seldom gets better by waiting is given up sooner. */
const FEWER_ATTEMPTS: Partial<Record<FailureCause, number>> = {
  unreachable: 4,
  malformed: 3,
  empty: 3,
}

export function attemptsFor(cause: FailureCause, modelAttempts: number): number {
  return Math.min(FEWER_ATTEMPTS[cause] ?? modelAttempts, modelAttempts)
}

/** How long to wait before the next attempt: what the provider asked for, or twice as long each time, with a jitter. */
export function retryWait(failure: ModelFailure, attempt: number, random: number): number {
  if (failure.retryAfterMs !== undefined) return Math.min(failure.retryAfterMs, LONGEST_WAIT_MS)
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
  return Math.round(wait * (0.75 + random / 4))
}
