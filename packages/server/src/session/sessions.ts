import {
  type IdSource,
  ok,
  type Result,
  type SessionId,
  type TokenId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import type { NewSession, Session, SessionLog } from '../log/log.ts'
import type { ActiveFilesOf } from '../sources/active-files.ts'
import type { Settings } from '../store/settings.ts'
import { type Actors, noSuchSession } from './actors.ts'
import { endDrafts } from './remove-session.ts'
import { createMarkedSessions, type SessionMarks } from './session-marks.ts'

/** Sessions of every workspace. */
export interface Sessions {
  create(
    workspaceId: WorkspaceId,
    options: { title?: string; standing?: boolean; createdBy?: TokenId },
  ): Promise<Session>
  find(workspaceId: WorkspaceId, sessionId: SessionId): Promise<Result<Session, 'NOT_FOUND'>>
  createdBy(sessionId: SessionId): Promise<TokenId>
  list(workspaceId: WorkspaceId): Promise<readonly MarkedSession[]>
  /** Renames it, or places it in the person's list. */
  update(
    workspaceId: WorkspaceId,
    sessionId: SessionId,
    given: SessionMarks & { readonly title?: string },
  ): Promise<Result<MarkedSession, 'NOT_FOUND'>>
  /** Refuses a session with an open draft unless `discard` is set. */
  remove(
    workspaceId: WorkspaceId,
    sessionId: SessionId,
    options: { readonly discard: boolean; readonly by: string },
  ): Promise<Result<{ rows: number; blobs: number }>>
  readonly activeFiles: ActiveFilesOf
}

export type MarkedSession = Session & SessionMarks

export interface SessionsOptions {
  readonly settings: Settings
  readonly log: SessionLog
  readonly actors: Actors
  readonly link: ClientLink
  readonly ids: IdSource
  readonly activeFilesOf: ActiveFilesOf
}

/** The server's own token. */
const OWNER = 'owner' as TokenId

const STANDING_TITLE = 'Calls outside of a conversation'

export function createSessions(options: SessionsOptions): Sessions {
  const { log, actors, link, ids } = options
  const marked = createMarkedSessions(options.settings)
  const standing = new Map<WorkspaceId, Promise<Session>>()

  const toNew = (workspaceId: WorkspaceId, title: string): NewSession => ({
    sessionId: ids('session'),
    workspaceId,
    conversationId: ids('conversation'),
    title,
  })

  /** Kept in memory, because every call of the command line asks for it. */
  function standingOf(workspaceId: WorkspaceId): Promise<Session> {
    let session = standing.get(workspaceId)
    if (!session) {
      session = log.standingSession(toNew(workspaceId, STANDING_TITLE))
      standing.set(workspaceId, session)
      session.catch(() => standing.delete(workspaceId)) // the caller gets the error
    }
    return session
  }

  async function find(workspaceId: WorkspaceId, sessionId: SessionId) {
    const session = await log.getSession(sessionId)
    return session?.workspaceId === workspaceId ? ok(session) : noSuchSession(sessionId)
  }

  return {
    async create(workspaceId, { title = '', standing: isStanding, createdBy }) {
      if (isStanding) return standingOf(workspaceId)
      const made = toNew(workspaceId, title)
      if (createdBy) await marked.mark(made.sessionId, { createdBy })
      return unwrap(await log.createSession(made))
    },
    find,
    createdBy: async sessionId => (await marked.of(sessionId)).createdBy ?? OWNER,
    list: async workspaceId => marked.apply(await log.listSessions({ workspaceId })),
    async update(workspaceId, sessionId, { title, ...marks }) {
      const found = await find(workspaceId, sessionId)
      if (!found.ok) return found
      const named = title === undefined ? found : await log.setTitle(sessionId, title)
      if (!named.ok) return named
      await marked.mark(sessionId, marks)
      const [session] = await marked.apply([named.value])
      return ok(session!)
    },
    async remove(workspaceId, sessionId, { discard, by }) {
      const session = await find(workspaceId, sessionId)
      if (!session.ok) return session
      const drafts = await endDrafts(link, workspaceId, sessionId, { discard, by })
      if (!drafts.ok) return drafts
      await actors.drop(sessionId)
      standing.delete(workspaceId)
      await marked.forget(sessionId)
      await options.activeFilesOf(workspaceId, sessionId).forget()
      return log.deleteSession(sessionId)
    },
    activeFiles: options.activeFilesOf,
  }
}
