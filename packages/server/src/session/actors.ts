import { fail, type Result, type SessionId, type WorkspaceId } from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { Logger } from '../words/logger.ts'
import { openActor, type SessionActor } from './session-actor.ts'

/** The actors of open sessions, one each, so that a session has one writer in this process. */
export interface Actors {
  open(sessionId: SessionId): Promise<Result<SessionActor, 'NOT_FOUND'>>
  /** The same for a session of this workspace; an open one is not looked up again. */
  find(workspaceId: WorkspaceId, sessionId: SessionId): Promise<Result<SessionActor, 'NOT_FOUND'>>
  /** Does the work for each open session of a workspace, one after the other. */
  each(workspaceId: WorkspaceId, work: (own: SessionActor) => Promise<void>): Promise<void>
  /** Lets go of the sessions that nobody here uses, so that another instance need not wait for them. */
  dropIdle(idleMs: number, isBusy: (sessionId: SessionId) => boolean): Promise<void>
  /** Another instance is the home of this workspace. */
  dropAll(workspaceId: WorkspaceId): Promise<void>
  /** The session is being deleted. */
  drop(sessionId: SessionId): Promise<void>
  close(): Promise<void>
}

export interface ActorsOptions {
  readonly log: SessionLog
  readonly logger: Logger
  /** Names this process among those that claim sessions. */
  readonly holder: string
}

export function createActors({ log, logger, holder }: ActorsOptions): Actors {
  const actors = new Map<SessionId, Promise<Result<SessionActor, 'NOT_FOUND'>>>()

  async function release(opening: Promise<Result<SessionActor, 'NOT_FOUND'>> | undefined) {
    const opened = await opening?.catch(() => undefined) // whoever opened it got the error
    if (opened?.ok) await opened.value.release()
  }

  function open(sessionId: SessionId): Promise<Result<SessionActor, 'NOT_FOUND'>> {
    let opened = actors.get(sessionId)
    if (!opened) {
      const onLost = (cause: unknown) => logger.error('Log.AppendFailed', cause, { sessionId })
      opened = openActor(sessionId, { log, holder, onLost })
      actors.set(sessionId, opened)
      const forget = () => actors.delete(sessionId)
      opened.then(({ ok }) => ok || forget(), forget) // its caller gets the error, and the next one tries again
    }
    return opened
  }

  return {
    open,
    async find(workspaceId, sessionId) {
      const opened = await open(sessionId)
      const isOwn = opened.ok && opened.value.workspaceId === workspaceId
      return isOwn ? opened : noSuchSession(sessionId)
    },
    async each(workspaceId, work) {
      for (const opening of actors.values()) {
        const opened = await opening
        if (opened.ok && opened.value.workspaceId === workspaceId) await work(opened.value)
      }
    },
    async dropIdle(idleMs, isBusy) {
      for (const [sessionId, opening] of actors) {
        const opened = await opening
        if (!opened.ok || opened.value.idleMs() < idleMs || isBusy(sessionId)) continue
        actors.delete(sessionId) // whoever comes now reads the session anew
        await release(opening)
      }
    },
    async dropAll(workspaceId) {
      await Promise.all(
        [...actors].map(async ([sessionId, opening]) => {
          const opened = await opening
          if (!opened.ok || opened.value.workspaceId !== workspaceId) return
          actors.delete(sessionId)
          await release(opening)
        }),
      )
    },
    async drop(sessionId) {
      await release(actors.get(sessionId))
      actors.delete(sessionId)
    },
    async close() {
      await Promise.all([...actors.values()].map(release))
    },
  }
}

export function noSuchSession(sessionId: SessionId) {
  return fail('NOT_FOUND', `There is no session "${sessionId}" in this workspace.`)
}
