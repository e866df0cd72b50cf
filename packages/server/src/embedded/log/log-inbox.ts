import { ok, type SessionId } from '@filewright/protocol'
import type { InboxItem, SessionLog } from '../../log/log.ts'
import { noSession } from '../../log/log-failures.ts'
import type { Database } from '../database/database.ts'

const ALL = Number.MAX_SAFE_INTEGER

export type InboxPart = Pick<SessionLog, 'putInbox' | 'peekInbox' | 'sessionsWithMail' | 'onMail'>

/** A consumed item keeps its id without its body, so a repeated send is recognized. */
export function createInboxPart(database: Database, now: () => Date): InboxPart {
  const wakers = new Set<(sessionId: SessionId) => void>()

  function insert(sessionId: SessionId, { id, type, body }: InboxItem) {
    const { changes } = database.run(
      `insert into inbox (session, id, workspace, type, time, body)
       select session, ?, workspace, ?, ?, ? from sessions where session = ? on conflict do nothing`,
      id,
      type,
      now().toISOString(),
      JSON.stringify(body ?? null),
      sessionId,
    )
    if (changes === 1) return ok({ duplicate: false })
    const before = database.get('select 1 from inbox where session = ? and id = ?', sessionId, id)
    return before === undefined ? noSession(sessionId) : ok({ duplicate: true })
  }

  return {
    async putInbox(sessionId, item) {
      const result = await database.write(() => insert(sessionId, item))
      if (result.ok && !result.value.duplicate) for (const wake of wakers) wake(sessionId)
      return result
    },
    async peekInbox(sessionId, limit = ALL) {
      return database
        .all<{ position: number; id: string; type: string; time: string; body: string }>(
          `select position, id, type, time, body from inbox
           where session = ? and body is not null order by position limit ?`,
          sessionId,
          limit,
        )
        .map(({ body, ...item }) => ({ ...item, sessionId, body: JSON.parse(body) as unknown }))
    },
    async sessionsWithMail() {
      return database
        .all<{ session: SessionId }>(
          'select session from inbox where body is not null group by session order by min(position)',
        )
        .map(row => row.session)
    },
    onMail(wake) {
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
  }
}
