import type { SessionId } from '@filewright/protocol'
import type { SessionLog } from '../../log/log.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { Postgres } from '../database/postgres.ts'
import { createFinderPart } from './log-finder.ts'
import { createInboxPart, sessionsWithMail } from './log-inbox.ts'
import { createLogNews } from './log-news.ts'
import { fromStored, type PgLogRow, ROW } from './log-row.ts'
import { createSessionPart } from './log-sessions.ts'
import { createLogWriter } from './log-writer.ts'

export interface SharedLogOptions {
  readonly now: () => Date
  readonly leaseMs?: number
  /** Blobs younger than this survive the deletion of their session: another instance may be about to name them. */
  readonly blobGraceMs?: number
}

export type SharedLog = SessionLog & { close(): Promise<void> }

/** A holder renews three times in this time; a busy machine may be late once. */
const SHARED_LEASE_MS = 3_000
const BLOB_GRACE_MS = 10 * 60_000

export function createSharedLog(
  database: Postgres,
  blobs: Blobs,
  { now, leaseMs = SHARED_LEASE_MS, blobGraceMs = BLOB_GRACE_MS }: SharedLogOptions,
): SharedLog {
  async function read(sessionId: SessionId, after: number, limit: number | null) {
    const rows = await database.repeat<PgLogRow>(
      `select ${ROW} from log where session = $1 and seq > $2 order by seq limit $3`,
      [sessionId, after, limit],
    )
    return rows.map(fromStored)
  }

  async function lastSeq(sessionId: SessionId) {
    const [row] = await database.repeat<{ last: number }>(
      'select coalesce(max(seq), 0) as last from log where session = $1',
      [sessionId],
    )
    return row!.last
  }

  const news = createLogNews(database, {
    readAfter: (sessionId, after) => read(sessionId, after, null),
    lastSeq,
    withMail: () => sessionsWithMail(database),
  })
  const { settled, ...writer } = createLogWriter(database, news, now, leaseMs)
  const sessions = createSessionPart(database, blobs, { now, blobGraceMs })
  const finder = createFinderPart(database)

  return {
    ...writer,
    ...sessions,
    ...createInboxPart(database, news, now),
    async read(sessionId, { after = 0, limit } = {}) {
      await settled(sessionId)
      await news.ready(sessionId)
      return read(sessionId, after, limit ?? null)
    },
    async lastSeq(sessionId) {
      await settled(sessionId)
      return lastSeq(sessionId)
    },
    async getSession(sessionId) {
      await settled(sessionId)
      return sessions.getSession(sessionId)
    },
    async findResult(sessionId, toolCallId) {
      await settled(sessionId)
      return finder.findResult(sessionId, toolCallId)
    },
    async findStart(sessionId, toolCallId) {
      await settled(sessionId)
      return finder.findStart(sessionId, toolCallId)
    },
    async findAnswer(sessionId, turnId) {
      await settled(sessionId)
      return finder.findAnswer(sessionId, turnId)
    },
    async findLast(sessionId, ...types) {
      await settled(sessionId)
      return finder.findLast(sessionId, ...types)
    },
    openCalls: finder.openCalls,
    subscribe: news.subscribe,
    onMail: news.onMail,
    close: news.close,
  }
}
