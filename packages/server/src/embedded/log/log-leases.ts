import { ok, type Result, type SessionId, type WorkspaceId } from '@filewright/protocol'
import type { Lease, SessionLog } from '../../log/log.ts'
import { heldBy, leaseLost, noSession } from '../../log/log-failures.ts'
import type { Database } from '../database/database.ts'
import type { LostLeases } from './lost-leases.ts'

/** The database's clock: processes that share a database may disagree on the time. */
const NOW = "cast(unixepoch('subsec') * 1000 as integer)"

const NO_EPOCH = -1

export interface LeasePart extends Pick<SessionLog, 'leaseMs' | 'claim' | 'renew' | 'release'> {
  /** Frees every lease. Only for the owner of the state folder at its start, when no other holder can be alive. */
  releaseAll(): Promise<void>
}

/**
 * A lease is `written`, not flushed: a loss of power ends its holder too. Every new holder raises the epoch, so an
 * append compares only the epoch.
 */
export function createLeasePart(database: Database, lost: LostLeases, leaseMs: number): LeasePart {
  function claim(
    sessionId: SessionId,
    holder: string,
    ttlMs: number,
  ): Result<Lease, 'NOT_FOUND' | 'LOCKED'> {
    const row = database.get<{ workspace: WorkspaceId; epoch: number; expires: number }>(
      `update sessions set holder = ?1, epoch = epoch + 1, expires = ${NOW} + ?2
       where session = ?3 and (holder is null or expires <= ${NOW} or epoch = ?4)
       returning workspace, epoch, expires`,
      holder,
      ttlMs,
      sessionId,
      lost.epochOf(sessionId) ?? NO_EPOCH,
    )
    if (!row) return refusal(sessionId)
    const { workspace: workspaceId, epoch, expires } = row
    return ok({ sessionId, workspaceId, holder, epoch, expires })
  }

  function refusal(sessionId: SessionId) {
    const found = database.get<{ holder: string; left: number }>(
      `select holder, expires - ${NOW} as left from sessions where session = ?`,
      sessionId,
    )
    return found ? heldBy(sessionId, found.holder, found.left) : noSession(sessionId)
  }

  function renew(lease: Lease, ttlMs: number) {
    if (lost.has(lease)) return leaseLost(lease)
    const row = database.get<{ expires: number }>(
      `update sessions set expires = ${NOW} + ? where session = ? and epoch = ? returning expires`,
      ttlMs,
      lease.sessionId,
      lease.epoch,
    )
    return row ? ok({ ...lease, expires: row.expires }) : leaseLost(lease)
  }

  return {
    leaseMs,
    async claim(sessionId, holder, ttlMs = leaseMs) {
      const claimed = await database.write(() => claim(sessionId, holder, ttlMs), 'written')
      if (claimed.ok) lost.forget(sessionId)
      return claimed
    },

    renew: (lease, ttlMs = leaseMs) => database.write(() => renew(lease, ttlMs), 'written'),

    async release(lease) {
      await database.write(
        () =>
          database.run(
            'update sessions set holder = null, epoch = epoch + 1, expires = 0 where session = ? and epoch = ?',
            lease.sessionId,
            lease.epoch,
          ),
        'written',
      )
    },

    async releaseAll() {
      await database.write(
        () =>
          database.run(
            'update sessions set holder = null, epoch = epoch + 1, expires = 0 where holder is not null',
          ),
        'written',
      )
    },
  }
}
