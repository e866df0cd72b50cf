import type { SessionId } from '@filewright/protocol'
import type { Lease } from '../../log/log.ts'
import type { Database } from '../database/database.ts'
import type { LogIndex } from './log-index.ts'
import type { LostLeases } from './lost-leases.ts'

/** The next numbers of a session. */
export interface Counter {
  last: number
}

interface KnownCounter extends Counter {
  readonly epoch: number
  /** The database's rollback count at the last read. */
  readonly undone: number
}

/** Only the holder appends, so it need not read the last number each time. */
export function createNumbers(database: Database, index: LogIndex, lost: LostLeases) {
  const counters = new Map<SessionId, KnownCounter>()

  function knownOf({ sessionId, epoch }: Lease): KnownCounter | undefined {
    const known = counters.get(sessionId)
    return known?.epoch === epoch ? known : undefined
  }

  /** Undefined: the lease is over. */
  function counterOf(lease: Lease): Counter | undefined {
    const known = knownOf(lease)
    return known?.undone === database.undone() ? known : lookUp(lease)
  }

  function lookUp(lease: Lease): Counter | undefined {
    const { sessionId, epoch } = lease
    const last = index.lastSeq(sessionId) // this first writes the gathered rows, which may end the lease
    if (lost.has(lease)) return undefined
    const numbered = knownOf(lease)?.last ?? 0
    if (numbered > last) return end(lease) // numbered rows are gone: the disk refused them
    const counter = { epoch, undone: database.undone(), last }
    counters.set(sessionId, counter)
    return counter
  }

  /** Its numbers are void: a caller that asks for the next one finds the lease expired. */
  function end(lease: Lease): undefined {
    lost.add(lease)
    counters.delete(lease.sessionId)
  }

  return {
    counterOf,
    end,
    /** Frees numbers that were never published. */
    forget: (sessionId: SessionId) => void counters.delete(sessionId),
    forgetAll: () => counters.clear(),
  }
}
