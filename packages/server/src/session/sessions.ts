import {
  type IdSource,
  ok,
  type Result,
  type SessionId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import type { NewSession, Session, SessionLog } from '../log/log.ts'
import type { ActiveFilesOf } from '../sources/active-files.ts'
import { type Actors, noSuchSession } from './actors.ts'
import { endDrafts } from './remove-session.ts'

/** Sessions of every workspace. */
export interface Sessions {
  create(
    workspaceId: WorkspaceId,
    options: { title?: string; standing?: boolean },
  ): Promise<Session>
  find(workspaceId: WorkspaceId, sessionId: SessionId): Promise<Result<Session, 'NOT_FOUND'>>
  list(workspaceId: WorkspaceId): Promise<readonly Session[]>
  /** Refuses a session with an open draft unless `discard` is set. */
  remove(
    workspaceId: WorkspaceId,
    sessionId: SessionId,
    options?: { readonly discard?: boolean },
  ): Promise<Result<{ rows: number; blobs: number }>>
  readonly activeFiles: ActiveFilesOf
}

export interface SessionsOptions {
  readonly log: SessionLog
  readonly actors: Actors
  readonly link: ClientLink
  readonly ids: IdSource
  readonly activeFilesOf: ActiveFilesOf
}

const STANDING_TITLE = 'Standing session of the command line'

export function createSessions(options: SessionsOptions): Sessions {
  const { log, actors, link, ids } = options
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
    create: async (workspaceId, { title = '', standing: isStanding }) =>
      isStanding
        ? standingOf(workspaceId)
        : unwrap(await log.createSession(toNew(workspaceId, title))),
    find,
    list: workspaceId => log.listSessions({ workspaceId }),
    async remove(workspaceId, sessionId, { discard = false } = {}) {
      const session = await find(workspaceId, sessionId)
      if (!session.ok) return session
      const drafts = await endDrafts(link, workspaceId, sessionId, discard)
      if (!drafts.ok) return drafts
      await actors.drop(sessionId)
      standing.delete(workspaceId)
      await options.activeFilesOf(workspaceId, sessionId).forget()
      return log.deleteSession(sessionId)
    },
    activeFiles: options.activeFilesOf,
  }
}
