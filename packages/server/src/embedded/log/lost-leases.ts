import type { SessionId } from '@filewright/protocol'
import type { Lease } from '../../log/log.ts'

/** Leases that ended because an append failed. The database may not know, because it refused the rows. */
export interface LostLeases {
  add(lease: Lease): void
  has(lease: Lease): boolean
  /** The session's last lost epoch; epochs count from 1. */
  epochOf(sessionId: SessionId): number | undefined
  /** The session has a new holder. */
  forget(sessionId: SessionId): void
}

export function createLostLeases(): LostLeases {
  const epochs = new Map<SessionId, number>()
  return {
    // an older lease may fail late, after a newer one
    add: ({ sessionId, epoch }) =>
      void epochs.set(sessionId, Math.max(epoch, epochs.get(sessionId) ?? 0)),
    has: ({ sessionId, epoch }) => epochs.size > 0 && epochs.get(sessionId) === epoch,
    epochOf: sessionId => epochs.get(sessionId),
    forget: sessionId => void epochs.delete(sessionId),
  }
}
