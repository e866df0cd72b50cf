import {
  type ConversationId,
  type JournalLine,
  ok,
  type Result,
  type SessionId,
  type Sha256,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { blobsNamedBy, stateAfter } from '../../log/line-effects.ts'
import type { NewSession, Session, SessionKind, Tally } from '../../log/log.ts'
import { noSession, sessionExists } from '../../log/log-failures.ts'
import { type SessionPart, type SessionRow, toSession } from '../../log/session-row.ts'
import type { Blobs } from '../../store/blobs.ts'
import { isReferenced } from '../blob-references.ts'
import type { Database } from '../database/database.ts'
import { deleteLogRows, LAST_POSITION, TAIL_ENDS } from './log-index.ts'

const COLUMNS = 'session, workspace, kind, title, conversation, state, created, updated'
// a call outside a run appends rows and does not touch the session
const TOUCHED = `max(updated, coalesce(
  (select time from log where position = ${LAST_POSITION}), updated)) as touched`
const SELECT_SESSIONS = `with ${TAIL_ENDS} select ${COLUMNS}, ${TOUCHED} from sessions`
const ALL = Number.MAX_SAFE_INTEGER
const BLOB_GRACE_MS = 10_000 // another session may be about to name a new blob

export function createSessionPart(
  database: Database,
  blobs: Blobs,
  now: () => Date,
  blobGraceMs = BLOB_GRACE_MS,
): SessionPart {
  function find(sessionId: SessionId): Session | undefined {
    const row = database.get<SessionRow>(`${SELECT_SESSIONS} where session = ?`, sessionId)
    return row && toSession(row)
  }

  function findStanding(workspaceId: WorkspaceId): Session | undefined {
    const row = database.get<SessionRow>(
      `${SELECT_SESSIONS} where workspace = ? and kind = 'standing'`,
      workspaceId,
    )
    return row && toSession(row)
  }

  function create(session: NewSession, kind: SessionKind): Result<Session, 'CONFLICT'> {
    const { sessionId, workspaceId, conversationId, title = '' } = session
    const time = now().toISOString()
    const { changes } = database.run(
      `insert into sessions (${COLUMNS}, begun)
       values (?, ?, ?, ?, ?, 'idle', ?, ?, (select coalesce(max(position), 0) from log))
       on conflict do nothing`,
      sessionId,
      workspaceId,
      kind,
      title,
      conversationId,
      time,
      time,
    )
    if (changes === 1) return ok(find(sessionId)!)
    return sessionExists(sessionId)
  }

  function deleteRows(sessionId: SessionId): { rows: number; hashes: Sha256[] } {
    const hashes = database
      .all<{ sha256: Sha256 }>('select sha256 from log_blobs where session = ?', sessionId)
      .map(row => row.sha256)
    database.run('delete from sessions where session = ?', sessionId)
    database.run('delete from inbox where session = ?', sessionId)
    database.run('delete from log_blobs where session = ?', sessionId)
    return { rows: deleteLogRows(database, sessionId), hashes }
  }

  return {
    createSession: session => database.write(() => create(session, 'work')),
    standingSession: session =>
      database.write(
        () => findStanding(session.workspaceId) ?? unwrap(create(session, 'standing')),
      ),
    getSession: async sessionId => find(sessionId),
    async listSessions({ workspaceId, state, limit = ALL } = {}) {
      return database
        .all<SessionRow>(
          `${SELECT_SESSIONS} where (?1 is null or workspace = ?1) and (?2 is null or state = ?2)
           order by max(begun, ${LAST_POSITION}) desc, begun >= ${LAST_POSITION} desc, created desc, session
           limit ?3`,
          workspaceId ?? null,
          state ?? null,
          limit,
        )
        .map(toSession)
    },
    setTitle: (sessionId, title) =>
      database.write(() => {
        database.run('update sessions set title = ? where session = ?', title, sessionId)
        const session = find(sessionId)
        return session ? ok(session) : noSession(sessionId)
      }),
    async deleteSession(sessionId) {
      if (!find(sessionId)) return noSession(sessionId)
      const { rows, hashes } = await database.write(() => deleteRows(sessionId))
      const { removed } = await blobs.sweep({
        candidates: hashes,
        isReferenced: sha256 => isReferenced(database, sha256),
        graceMs: blobGraceMs,
      })
      return ok({ rows, blobs: removed.length })
    },
    tally: async () => database.get<Tally>(TALLY)!,
  }
}

const TALLY = `select
    count(*) filter (where state = 'running') as running,
    count(*) filter (where state = 'waiting') as waiting,
    (select count(*) from inbox where body is not null) as mail
  from sessions`

/** Updates the session for a row, in the transaction that appends it: both happen or neither. */
export function noteLine(
  database: Database,
  sessionId: SessionId,
  line: { readonly conversationId: ConversationId; readonly body: JournalLine },
  time: string,
): void {
  const { body } = line
  if (body.type === 'conversation-start')
    database.run(
      'update sessions set conversation = ? where session = ?',
      line.conversationId,
      sessionId,
    )
  const state = stateAfter(body)
  if (state)
    database.run(
      'update sessions set state = ?, updated = ? where session = ?',
      state,
      time,
      sessionId,
    )
  for (const sha256 of blobsNamedBy(body))
    database.run(
      `insert into log_blobs (session, sha256, workspace)
       select session, ?, workspace from sessions where session = ? on conflict do nothing`,
      sha256,
      sessionId,
    )
}
