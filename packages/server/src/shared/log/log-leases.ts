import {
  ok,
  type Result,
  type SessionId,
  type ToolCallId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Lease } from '../../log/log.ts'
import { heldBy, leaseLost, noSession } from '../../log/log-failures.ts'
import type { Postgres, Queries } from '../database/postgres.ts'
import type { Hand } from './hands.ts'

/** The clock of the database: instances may disagree on the time. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::int8'

/**
 * Claims the session and reads what its new holder must know, in one transaction: an append of the holder before either
 * committed and is seen, or finds its epoch over.
 */
export function claim(
  database: Postgres,
  sessionId: SessionId,
  holder: string,
  { ttlMs, lostEpoch = -1 }: { readonly ttlMs: number; readonly lostEpoch?: number },
): Promise<Result<Hand, 'NOT_FOUND' | 'LOCKED'>> {
  return database.transaction(async queries => {
    const [row] = await queries.query<{ workspace: WorkspaceId; epoch: number; expires: number }>(
      `update sessions set holder = $1, epoch = epoch + 1, expires = ${NOW} + $2
       where session = $3 and (holder is null or expires <= ${NOW} or epoch = $4)
       returning workspace, epoch, expires`,
      [holder, ttlMs, sessionId, lostEpoch],
    )
    if (!row) return refusal(queries, sessionId)
    const { workspace: workspaceId, epoch, expires } = row
    const lease: Lease = { sessionId, workspaceId, holder, epoch, expires }
    return ok(await toHand(queries, lease))
  })
}

async function toHand(queries: Queries, lease: Lease): Promise<Hand> {
  const [found] = await queries.query<{ last: number | null }>(
    'select max(seq) as last from log where session = $1',
    [lease.sessionId],
  )
  const results = await queries.query<{ subject: ToolCallId }>(
    "select subject from log where session = $1 and type = 'tool_result'",
    [lease.sessionId],
  )
  return {
    lease,
    last: found!.last ?? 0,
    ended: new Set(results.map(row => row.subject)),
    consumed: new Set(),
    isLost: false,
  }
}

async function refusal(queries: Queries, sessionId: SessionId) {
  const [found] = await queries.query<{ holder: string; left: number }>(
    `select coalesce(holder, '') as holder, expires - ${NOW} as left from sessions where session = $1`,
    [sessionId],
  )
  return found ? heldBy(sessionId, found.holder, Math.max(0, found.left)) : noSession(sessionId)
}

export async function renew(database: Postgres, lease: Lease, ttlMs: number) {
  const [row] = await database.repeat<{ expires: number }>(
    `update sessions set expires = ${NOW} + $1 where session = $2 and epoch = $3 returning expires`,
    [ttlMs, lease.sessionId, lease.epoch],
  )
  return row ? ok({ ...lease, expires: row.expires }) : leaseLost(lease)
}

export async function release(database: Postgres, { sessionId, epoch }: Lease): Promise<void> {
  await database.repeat(
    'update sessions set holder = null, epoch = epoch + 1, expires = 0 where session = $1 and epoch = $2',
    [sessionId, epoch],
  )
}
