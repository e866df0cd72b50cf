import type { SessionId } from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import { type HeldLease, holdSession } from '../log/log-holder.ts'

/** One owner holds its sessions for long: a renewal is a write, and after its death the next one frees them at its start. */
const HOLD_MS = 60 * 60_000

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

  /** What ended it may pass: whoever appends next claims the session again. */
  async function hold(): Promise<HeldLease> {
    try {
      const claimed = await holdSession(log, sessionId, holder, HOLD_MS)
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
