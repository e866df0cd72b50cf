import type { SessionId } from '@filewright/protocol'
import type { Lease } from '../../log/log.ts'
import type { Database } from '../database/database.ts'
import type { LogIndex } from './log-index.ts'
import type { LostLeases } from './lost-leases.ts'

/** Where the numbers of a session stand; whoever takes one counts on. */
export interface Counter {
  last: number
}

interface KnownCounter extends Counter {
  readonly epoch: number
  /** Of the database, when it was last read there. */
  readonly undone: number
}

/** Nobody but the holder appends, so it need not ask for the last number each time. */
export function createNumbers(database: Database, index: LogIndex, lost: LostLeases) {
  const counters = new Map<SessionId, KnownCounter>()

  function knownOf({ sessionId, epoch }: Lease): KnownCounter | undefined {
    const known = counters.get(sessionId)
    return known?.epoch === epoch ? known : undefined
  }

  /** Undefined: the lease is over. */
  function counterOf(lease: Lease): Counter | undefined {
    if (lost.has(lease)) return undefined
    const known = knownOf(lease)
    return known?.undone === database.undone() ? known : lookUp(lease)
  }

  function lookUp(lease: Lease): Counter | undefined {
    const { sessionId, epoch } = lease
    const last = index.lastSeq(sessionId) // writes what is gathered first, which may change what is known
    const numbered = knownOf(lease)?.last ?? 0
    const counter = { epoch, undone: database.undone(), last }
    counters.set(sessionId, counter)
    if (numbered <= last) return counter
    lost.add(lease) // rows that have their numbers are gone: the disk refused them
    return undefined
  }

  return {
    counterOf,
    /** Numbers that were taken in vain, and that nobody has seen, are free again. */
    forget: (sessionId: SessionId) => void counters.delete(sessionId),
    forgetAll: () => counters.clear(),
  }
}
