import { ok, type Result, type SessionId } from '@filewright/protocol'
import type { Appending, AppendOptions, Lease, NewLine, SessionLog } from './log.ts'

/** A lease that renews itself until it is released or lost. */
export interface HeldLease {
  readonly lease: Lease
  /** Aborts when another holder took over or an append failed: this process must then stop acting for the session. */
  readonly lost: AbortSignal
  /** The log's `appendNow` under this lease. */
  appendNow(lines: readonly NewLine[], options?: AppendOptions): Appending
  /** The log's `append` under this lease. */
  append(lines: readonly NewLine[], options?: AppendOptions): Appending['kept']
  release(): Promise<void>
}

export async function holdSession(
  log: SessionLog,
  sessionId: SessionId,
  holder: string,
  ttlMs = log.leaseMs,
): Promise<Result<HeldLease, 'NOT_FOUND' | 'LOCKED'>> {
  const claimed = await log.claim(sessionId, holder, ttlMs)
  if (!claimed.ok) return claimed
  const lease = claimed.value
  const lost = new AbortController()
  const timer = setInterval(() => watch(log.renew(lease, ttlMs)), ttlMs / 3)
  timer.unref() // a lease alone keeps no process alive

  function watch(kept: Promise<Result<unknown>>): void {
    kept.then(result => {
      if (!result.ok && result.failure.code === 'LEASE_LOST') lose(result.failure)
    }, lose)
  }

  function lose(cause: unknown): void {
    if (lost.signal.aborted) return
    lost.abort(cause)
    release().catch(() => {}) // it ends by itself then, at its time
  }

  async function release(): Promise<void> {
    clearInterval(timer)
    await log.release(lease)
  }

  return ok({
    lease,
    lost: lost.signal,
    appendNow(lines, options) {
      const appending = log.appendNow(lease, lines, options)
      watch(appending.kept)
      return appending
    },
    append(lines, options) {
      const kept = log.append(lease, lines, options)
      watch(kept)
      return kept
    },
    release,
  })
}
