import type { Model } from '@filewright/loop'
import {
  ok,
  type Result,
  type SessionId,
  type Toolset,
  type WorkspaceId,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { Logger } from '../words/logger.ts'
import type { LiveSessions, RunWishes } from './live-sessions.ts'
import type { RunDriver } from './run-driver.ts'
import type { InTurn } from './turn-taking.ts'

/** Runs that were cut off or wait, going on. */
export interface Resuming {
  resume(sessionId: SessionId, wishes: RunWishes): Promise<Resumed>
  /** Runs that a crash cut off go on, where this server may do that unasked. */
  resumeAll(workspaceId: WorkspaceId): Promise<void>
  /** What arrived belongs to a run: it takes it, and a run that waited goes on. Answers whether there is such a run. */
  wake(sessionId: SessionId, options?: { readonly mayResume?: boolean }): Promise<boolean>
}

export type Resumed = Result<{ sessionId: SessionId; resumed: boolean }>

export interface ResumingOptions {
  readonly live: LiveSessions
  readonly driver: RunDriver
  readonly log: SessionLog
  readonly logger: Logger
  readonly inTurn: InTurn
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** Go on with runs found cut off, without being asked. */
  readonly autoResume: boolean
}

export function createResuming(options: ResumingOptions): Resuming {
  const { live, driver, log, logger, inTurn, resolveModel, autoResume } = options

  const resume = inTurn(async (sessionId, wishes: RunWishes): Promise<Resumed> => {
    const session = await log.getSession(sessionId)
    if (!session || session.state === 'idle') return ok({ sessionId, resumed: false })
    if (live.get(sessionId)?.running) return ok({ sessionId, resumed: true })
    // as the run that is cut off or waits
    const run = (await log.findLast(sessionId, 'run-start'))?.body
    const model = await resolveModel(wishes.model ?? run?.model)
    if (!model.ok) return model
    const before = { toolset: run?.toolset as Toolset, plan: run?.plan }
    const opened = await live.open(sessionId, { ...before, ...wishes }, model.value)
    if (!opened.ok) return opened
    driver.go(opened.value)
    return ok({ sessionId, resumed: true })
  })

  return {
    resume,
    async resumeAll(workspaceId) {
      if (!autoResume) return
      for (const { sessionId } of await log.listSessions({ workspaceId, state: 'running' })) {
        const resumed = await resume(sessionId, {})
        if (!resumed.ok)
          logger.event('Session.NotResumed', { sessionId, reason: resumed.failure.message })
      }
    },
    async wake(sessionId, { mayResume = autoResume } = {}) {
      const session = live.get(sessionId)
      if (session?.running) {
        for (const listener of session.arrivals) listener('other')
        return true
      }
      const state = (await log.getSession(sessionId))?.state
      if (state !== 'waiting' && state !== 'running') return false
      if (session) driver.go(session)
      else if (mayResume) await resume(sessionId, {})
      return true // else it stays in the inbox for whoever resumes the run: this process may be gone in a moment
    },
  }
}
