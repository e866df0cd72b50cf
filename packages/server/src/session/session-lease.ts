import type { SessionId } from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import { type HeldLease, holdSession } from '../log/log-holder.ts'
import { SessionHeld } from '../store/store-away.ts'

/** An instance that died holds its sessions for a lease more, and one that is busy lets them go soon. */
const PATIENCE_MS = 4_500
const LOOK_MS = 100

/** A session's lease, claimed when it is first needed. */
export interface SessionLease {
  held(): Promise<HeldLease>
  release(): Promise<void>
}

export function createSessionLease(
  log: SessionLog,
  sessionId: SessionId,
  holder: string,
): SessionLease {
  let holding: Promise<HeldLease> | undefined

  /** Whatever ended the lease may pass, so the next append claims the session again. */
  async function hold(): Promise<HeldLease> {
    try {
      const claimed = await claimPatiently(log, sessionId, holder)
      if (!claimed.ok) throw refusal(claimed.failure)
      claimed.value.lost.addEventListener('abort', forget)
      return claimed.value
    } catch (error) {
      forget()
      throw error
    }
  }

  function forget() {
    holding = undefined
  }

  return {
    held() {
      holding ??= hold()
      return holding
    },
    async release() {
      const lease = await holding?.catch(() => undefined)
      forget()
      await lease?.release()
    },
  }
}

/** Waits for a lease that ends soon. */
async function claimPatiently(log: SessionLog, sessionId: SessionId, holder: string) {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const claimed = await holdSession(log, sessionId, holder)
    const left = deadline - Date.now()
    if (claimed.ok || claimed.failure.code !== 'LOCKED' || log.leaseMs > PATIENCE_MS || left <= 0)
      return claimed
    await new Promise(resolve => setTimeout(resolve, Math.min(left, LOOK_MS)))
  }
}

function refusal({ code, message }: { readonly code: string; readonly message: string }): Error {
  return code === 'LOCKED' ? new SessionHeld(message) : new Error(message)
}
