import { type LogRow, ok, type SessionId, type Sha256 } from '@filewright/protocol'
import type { InboxItem, NewSession, Session, SessionKind, SessionLog } from '../log/log.ts'
import { createDelivery } from '../log/log-delivery.ts'
import { noSession, sessionExists } from '../log/log-failures.ts'
import type { Blobs } from '../store/blobs.ts'
import { createLogFinder } from './log-finder.ts'
import { createLogWriter } from './log-writer.ts'
import { type KeptSession, newSession, type RemoteLog } from './remote-log.ts'

const BLOB_GRACE_MS = 10_000 // another session may be about to name a new blob
const ALL = Number.MAX_SAFE_INTEGER

export interface MemoryLogOptions {
  readonly now?: () => Date
  readonly blobGraceMs?: number
  /** Resolves when a write has arrived, rejects when it is lost on the way. */
  readonly arrive?: () => Promise<void>
  /** Whether a version of a source has these bytes. */
  readonly isVersion?: (sha256: Sha256) => boolean
}

/** A log with remote storage: every write takes time to arrive and may be lost. For tests. */
export interface MemoryLog extends SessionLog {
  /** As if every holder were dead. */
  releaseAll(): Promise<void>
}

export function createMemoryLog(blobs: Blobs, options: MemoryLogOptions = {}): MemoryLog {
  const {
    now = () => new Date(),
    arrive = nextTurn,
    blobGraceMs = BLOB_GRACE_MS,
    isVersion = () => false,
  } = options
  const remote: RemoteLog = { sessions: new Map(), now, arrive, arrived: 0 }
  const { sessions } = remote
  const wakers = new Set<(sessionId: SessionId) => void>()
  const delivery = createDelivery<LogRow>()
  const { settled, ...writer } = createLogWriter(remote, delivery)

  const names = (sha256: Sha256) =>
    isVersion(sha256) || [...sessions.values()].some(kept => kept.blobs.has(sha256))

  /** Includes everything written before. */
  async function find(sessionId: SessionId): Promise<KeptSession | undefined> {
    await settled(sessionId)
    return sessions.get(sessionId)
  }

  async function findAll(): Promise<readonly KeptSession[]> {
    for (const sessionId of sessions.keys()) await settled(sessionId)
    return [...sessions.values()]
  }

  function create(session: NewSession, kind: SessionKind): Session {
    const kept = newSession(session, kind, {
      time: now().toISOString(),
      arrived: remote.arrived,
    })
    sessions.set(session.sessionId, kept)
    return toSession(kept)
  }

  async function putInbox(sessionId: SessionId, { id, type, body }: InboxItem) {
    await arrive()
    const kept = sessions.get(sessionId)
    if (!kept) return noSession(sessionId)
    if (kept.inbox.has(id)) return ok({ duplicate: true })
    const time = now().toISOString()
    const item = { id, type, body: copy(body), sessionId, position: kept.inbox.size, time }
    kept.inbox.set(id, { item, isWaiting: true })
    for (const wake of wakers) wake(sessionId)
    return ok({ duplicate: false })
  }

  return {
    ...writer,
    ...createLogFinder(find, findAll),
    async createSession(session) {
      await arrive()
      if (sessions.has(session.sessionId)) return sessionExists(session.sessionId)
      return ok(create(session, 'work'))
    },
    async standingSession(session) {
      await arrive()
      const standing = [...sessions.values()]
        .map(toSession)
        .find(({ workspaceId, kind }) => workspaceId === session.workspaceId && kind === 'standing')
      return standing ?? create(session, 'standing')
    },
    async getSession(sessionId) {
      const kept = await find(sessionId)
      return kept && toSession(kept)
    },
    async listSessions({ workspaceId, state, limit = ALL } = {}) {
      return (await findAll())
        .filter(({ session }) => workspaceId === undefined || session.workspaceId === workspaceId)
        .filter(({ session }) => state === undefined || session.state === state)
        .sort(
          (a, b) =>
            b.last - a.last || a.rows.length - b.rows.length || byCreation(a.session, b.session),
        )
        .slice(0, limit)
        .map(toSession)
    },
    async setTitle(sessionId, title) {
      await arrive()
      const kept = sessions.get(sessionId)
      if (!kept) return noSession(sessionId)
      kept.session = { ...kept.session, title }
      return ok(toSession(kept))
    },
    async deleteSession(sessionId) {
      await arrive()
      const kept = await find(sessionId)
      if (!kept) return noSession(sessionId)
      sessions.delete(sessionId)
      const { removed } = await blobs.sweep({
        candidates: [...kept.blobs],
        isReferenced: names,
        graceMs: blobGraceMs,
      })
      return ok({ rows: kept.rows.length, blobs: removed.length })
    },

    async read(sessionId, { after = 0, limit = ALL } = {}) {
      return (await find(sessionId))?.rows.slice(after, after + limit) ?? []
    },
    lastSeq: async sessionId => (await find(sessionId))?.rows.length ?? 0,
    subscribe: delivery.subscribe,

    putInbox,
    async peekInbox(sessionId, limit = ALL) {
      const inbox = (await find(sessionId))?.inbox.values() ?? []
      return [...inbox].flatMap(({ item, isWaiting }) => (isWaiting ? [item] : [])).slice(0, limit)
    },
    async sessionsWithMail() {
      const all = [...sessions.keys()]
      const waiting = await Promise.all(all.map(sessionId => this.peekInbox(sessionId)))
      return all.filter((_, i) => waiting[i]!.length > 0)
    },
    async tally() {
      const all = await findAll()
      const inState = (state: string) => all.filter(({ session }) => session.state === state).length
      const mail = all.flatMap(({ inbox }) => [...inbox.values()]).filter(item => item.isWaiting)
      return { running: inState('running'), waiting: inState('waiting'), mail: mail.length }
    },
    onMail(wake) {
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
  }
}

function toSession({ session, rows }: KeptSession): Session {
  const last = rows.at(-1)?.time ?? ''
  return { ...session, updated: last > session.updated ? last : session.updated }
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

function byCreation(a: Session, b: Session): number {
  return compare(b.created, a.created) || compare(a.sessionId, b.sessionId)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A copy, as remote storage would return it. */
function copy(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null))
}
