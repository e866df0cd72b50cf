import type { SessionId } from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import { type HeldLease, holdSession } from '../log/log-holder.ts'

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
      const claimed = await holdSession(log, sessionId, holder)
      if (!claimed.ok) throw new Error(claimed.failure.message)
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
