import { ok, type SessionId } from '@filewright/protocol'
import type { SessionLog, WaitingItem } from '../../log/log.ts'
import { noSession } from '../../log/log-failures.ts'
import type { Postgres } from '../database/postgres.ts'
import type { LogNews } from './log-news.ts'

type InboxPart = Pick<SessionLog, 'putInbox' | 'peekInbox' | 'sessionsWithMail'>

/** A consumed item keeps its id without its body, so a repeated send is recognized. */
export function createInboxPart(database: Postgres, news: LogNews, now: () => Date): InboxPart {
  return {
    async putInbox(sessionId, { id, type, body }) {
      const added = await database.repeat(
        `insert into inbox (session, id, workspace, type, time, body)
         select session, $2, workspace, $3, $4, $5 from sessions where session = $1
         on conflict do nothing returning 1`,
        [sessionId, id, type, now().toISOString(), JSON.stringify(body ?? null)],
      )
      if (added.length > 0) {
        news.mailed(sessionId)
        return ok({ duplicate: false })
      }
      const before = await database.repeat('select 1 from inbox where session = $1 and id = $2', [
        sessionId,
        id,
      ])
      return before.length > 0 ? ok({ duplicate: true }) : noSession(sessionId)
    },
    async peekInbox(sessionId, limit) {
      const rows = await database.repeat<WaitingItem & { readonly body: string }>(
        `select session as "sessionId", position, id, type, time, body from inbox
         where session = $1 and body is not null order by position limit $2`,
        [sessionId, limit ?? null],
      )
      return rows.map(row => ({ ...row, body: JSON.parse(row.body) as unknown }))
    },
    sessionsWithMail: () => sessionsWithMail(database),
  }
}

export async function sessionsWithMail(database: Postgres): Promise<readonly SessionId[]> {
  const rows = await database.repeat<{ session: SessionId }>(
    'select session from inbox where body is not null group by session order by min(position)',
  )
  return rows.map(row => row.session)
}
