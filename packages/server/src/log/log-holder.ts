import { ok, type Result, type SessionId } from '@filewright/protocol'
import { LEASE_MS, type Lease, type SessionLog } from './log.ts'

/** A lease that renews itself until it is released or lost. */
export interface HeldLease {
  readonly lease: Lease
  /** Aborts when another holder took over: nothing may be done in the session's name any more. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

export async function holdSession(
  log: SessionLog,
  sessionId: SessionId,
  holder: string,
  ttlMs = LEASE_MS,
): Promise<Result<HeldLease, 'NOT_FOUND' | 'LOCKED'>> {
  const claimed = await log.claim(sessionId, holder, ttlMs)
  if (!claimed.ok) return claimed
  const lease = claimed.value
  const lost = new AbortController()
  const timer = setInterval(renew, ttlMs / 3)
  timer.unref() // a lease alone keeps no process alive

  async function renew() {
    const renewed = await log.renew(lease, ttlMs).catch(cause => ({ ok: false, cause }) as const)
    if (renewed.ok) return
    clearInterval(timer)
    lost.abort('cause' in renewed ? renewed.cause : renewed.failure)
  }

  return ok({
    lease,
    lost: lost.signal,
    async release() {
      clearInterval(timer)
      await log.release(lease)
    },
  })
}
