import type { JournalLine, TurnId } from '@filewright/protocol'
import type { FailureCause, ModelFailure } from '../port/model.ts'
import { limitsOf } from '../state/decide.ts'
import type { RetryState } from '../state/loop-state.ts'
import type { LoopContext } from './loop-context.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
const LONGEST_ASKED_MS = 5 * 60_000 // some count by the minute; beyond this it is a quota of hours or days

/** Failures that waiting seldom cures get fewer attempts. */
const FEWER_ATTEMPTS: Partial<Record<FailureCause, number>> = {
  unreachable: 4,
  malformed: 3,
  empty: 3,
}

function attemptsFor(cause: FailureCause, modelAttempts: number): number {
  return Math.min(FEWER_ATTEMPTS[cause] ?? modelAttempts, modelAttempts)
}

/** A message where the provider asks for a longer wait than a run has: a person should know that at once. */
export function tooLongWait({ retryAfterMs }: ModelFailure): string | undefined {
  if (retryAfterMs === undefined || retryAfterMs <= LONGEST_ASKED_MS) return undefined
  const minutes = Math.ceil(retryAfterMs / 60_000)
  const wait = minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
  return `It asks to wait ${wait}: try again after that, or choose another model.`
}

/** How long to wait before the next attempt: what the provider asked for, or twice as long each time, with a jitter. */
function retryWait(failure: ModelFailure, attempt: number, random: number): number {
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
  return Math.round(wait * (0.75 + random / 4))
}

/** The row of one more attempt; undefined where it would not help. */
export function retryLine(
  failure: ModelFailure,
  turn_id: TurnId,
  { memory, port, limits }: LoopContext,
): [JournalLine] | undefined {
  const attempt = (memory.state.retry?.attempt ?? 0) + 1
  const { modelAttempts } = limitsOf(memory.state.run!, limits)
  if (!failure.retry || tooLongWait(failure)) return undefined
  if (attempt >= attemptsFor(failure.cause, modelAttempts)) return undefined
  const wait_ms = retryWait(failure, attempt, port.random())
  return [{ type: 'retry', turn_id, attempt, reason: failure.message, wait_ms }]
}

/** True when the person interrupted the wait. */
export function waitForRetry(
  { until, waitMs }: Pick<RetryState, 'until' | 'waitMs'>,
  { port, interruptible }: LoopContext,
): Promise<boolean> {
  return interruptible(async ({ signal }) => {
    await port.sleep(Math.min(waitMs, Math.max(0, until - port.now())), signal)
    return signal.aborted
  })
}
