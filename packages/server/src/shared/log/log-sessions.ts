import { ok, type Result, type SessionId, type Sha256, unwrap } from '@filewright/protocol'
import type { NewSession, Session, SessionKind, Tally } from '../../log/log.ts'
import { noSession, sessionExists } from '../../log/log-failures.ts'
import { type SessionPart, type SessionRow, toSession } from '../../log/session-row.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { Postgres, Queries } from '../database/postgres.ts'

// a call outside a run appends rows and does not touch the session
const SELECT = `select s.session, s.workspace, s.kind, s.title, s.conversation, s.state, s.created,
    greatest(s.updated collate "C", coalesce(last.time, '')) as touched
  from sessions s left join lateral (
    select time, position from log where log.session = s.session order by seq desc limit 1) as last on true`

export interface SessionPartOptions {
  readonly now: () => Date
  readonly blobGraceMs: number
}

export function createSessionPart(
  database: Postgres,
  blobs: Blobs,
  { now, blobGraceMs }: SessionPartOptions,
): SessionPart {
  const find = (sessionId: SessionId) => findOne(database.repeat, 's.session = $1', sessionId)

  async function create(
    queries: Queries,
    session: NewSession,
    kind: SessionKind,
  ): Promise<Result<Session, 'CONFLICT'>> {
    const { sessionId, workspaceId, conversationId, title = '' } = session
    const time = now().toISOString()
    const added = await queries.run(
      `insert into sessions (session, workspace, kind, title, conversation, state, created, updated, begun)
       values ($1, $2, $3, $4, $5, 'idle', $6, $6, nextval('log_position')) on conflict do nothing`,
      [sessionId, workspaceId, kind, toText(title), conversationId, time],
    )
    if (added === 0) return sessionExists(sessionId)
    return ok((await findOne(queries.query, 's.session = $1', sessionId))!)
  }

  function deleteRows(sessionId: SessionId) {
    return database.transaction(async queries => {
      await queries.run('delete from sessions where session = $1', [sessionId]) // shuts its holder out first
      const named = await queries.query<{ sha256: Sha256 }>(
        'delete from log_blobs where session = $1 returning sha256',
        [sessionId],
      )
      await queries.run('delete from inbox where session = $1', [sessionId])
      await queries.run('delete from open_calls where session = $1', [sessionId])
      const rows = await queries.run('delete from log where session = $1', [sessionId])
      return { rows, hashes: named.map(row => row.sha256) }
    })
  }

  return {
    createSession: session => create(database, session, 'work'),
    async standingSession(session) {
      const standing = () =>
        findOne(database.repeat, "s.workspace = $1 and s.kind = 'standing'", session.workspaceId)
      const found = await standing()
      if (found) return found
      const created = await create(database, session, 'standing')
      return created.ok ? created.value : ((await standing()) ?? unwrap(created))
    },
    getSession: find,
    async listSessions({ workspaceId, state, limit } = {}) {
      const rows = await database.repeat<SessionRow>(
        `${SELECT} where ($1::text is null or s.workspace = $1) and ($2::text is null or s.state = $2)
         order by greatest(s.begun, last.position) desc limit $3`,
        [workspaceId ?? null, state ?? null, limit ?? null],
      )
      return rows.map(toSession)
    },
    async setTitle(sessionId, title) {
      await database.repeat('update sessions set title = $2 where session = $1', [
        sessionId,
        toText(title),
      ])
      const session = await find(sessionId)
      return session ? ok(session) : noSession(sessionId)
    },
    async deleteSession(sessionId) {
      if (!(await find(sessionId))) return noSession(sessionId)
      const { rows, hashes } = await deleteRows(sessionId)
      const { removed } = await blobs.sweep({
        candidates: hashes,
        isReferenced: () => false, // the sweep itself asks the tables, under its lock
        graceMs: blobGraceMs,
      })
      return ok({ rows, blobs: removed.length })
    },
    async tally() {
      const [found] = await database.repeat<Tally>(TALLY)
      return found!
    },
  }
}

/** The many idle sessions are not looked at: there is an index of the others. */
const TALLY = `select
    count(*) filter (where state = 'running') as running,
    count(*) filter (where state = 'waiting') as waiting,
    (select count(*) from inbox where body is not null) as mail
  from sessions where state <> 'idle'`

async function findOne(
  query: Queries['query'],
  where: string,
  value: string,
): Promise<Session | undefined> {
  const [row] = await query<SessionRow>(`${SELECT} where ${where}`, [value])
  return row && toSession(row)
}

/** PostgreSQL has no text with this character. */
function toText(title: string): string {
  return title.replaceAll('\0', '')
}
