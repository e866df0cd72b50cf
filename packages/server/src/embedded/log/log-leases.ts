import { fail, ok, type SessionId, type WorkspaceId } from '@filewright/protocol'
import { LEASE_MS, type Lease, type SessionLog } from '../../log/log.ts'
import type { Database } from '../database/database.ts'
import { noSession } from './log-sessions.ts'

/** The database's clock: where several processes share one, theirs may differ. */
const NOW = "cast(unixepoch('subsec') * 1000 as integer)"

export type LeasePart = Pick<SessionLog, 'claim' | 'renew' | 'release' | 'releaseAll'>

/**
 * A lease is `written`, not flushed: a loss of power ends its holder too. Every change of hands raises the epoch, so
 * that an append needs to compare nothing else.
 */
export function createLeasePart(database: Database): LeasePart {
  return {
    claim: (sessionId, holder, ttlMs = LEASE_MS) =>
      database.write(() => {
        const row = database.get<{ workspace: WorkspaceId; epoch: number; expires: number }>(
          `update sessions set holder = ?1, epoch = epoch + 1, expires = ${NOW} + ?2
           where session = ?3 and (holder is null or expires <= ${NOW}) returning workspace, epoch, expires`,
          holder,
          ttlMs,
          sessionId,
        )
        if (row)
          return ok({
            sessionId,
            workspaceId: row.workspace,
            holder,
            epoch: row.epoch,
            expires: row.expires,
          })
        const found = database.get<{ holder: string; left: number }>(
          `select holder, expires - ${NOW} as left from sessions where session = ?`,
          sessionId,
        )
        return found ? held(sessionId, found) : noSession(sessionId)
      }, 'written'),

    renew: (lease, ttlMs = LEASE_MS) =>
      database.write(() => {
        const row = database.get<{ expires: number }>(
          `update sessions set expires = ${NOW} + ? where session = ? and epoch = ? returning expires`,
          ttlMs,
          lease.sessionId,
          lease.epoch,
        )
        return row ? ok({ ...lease, expires: row.expires }) : leaseLost(lease)
      }, 'written'),

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

export function leaseLost(lease: Lease) {
  return fail(
    'LEASE_LOST',
    `Nothing was appended: ${lease.holder} no longer holds session ${lease.sessionId} (epoch ${lease.epoch} is over). Read the log and claim the session again.`,
    { kind: 'unavailable' },
  )
}

function held(sessionId: SessionId, { holder, left }: { holder: string; left: number }) {
  return fail(
    'LOCKED',
    `Cannot claim session ${sessionId}: ${holder} holds it for ${left} ms more. Send what you have to its inbox, or try again then.`,
    { details: { holder, expiresInMs: left } },
  )
}
