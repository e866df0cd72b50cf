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

/** Goes on with runs that were cut off or wait. */
export interface Resuming {
  resume(sessionId: SessionId, wishes: RunWishes): Promise<Resumed>
  /** Resumes runs that a crash cut off, if `autoResume` is set. */
  resumeAll(workspaceId: WorkspaceId): Promise<void>
  /** Something arrived: a run under way takes it, and a waiting run goes on. Answers whether there is such a run. */
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
  /** Resume runs that were cut off without asking. */
  readonly autoResume: boolean
}

export function createResuming(options: ResumingOptions): Resuming {
  const { live, driver, log, logger, inTurn, resolveModel, autoResume } = options

  const resume = inTurn(async (sessionId, wishes: RunWishes): Promise<Resumed> => {
    const session = await log.getSession(sessionId)
    if (!session || session.state === 'idle') return ok({ sessionId, resumed: false })
    if (live.get(sessionId)?.running) return ok({ sessionId, resumed: true })
    // with the settings of the run that is cut off or waits
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
      return true // otherwise it stays in the inbox until the run is resumed; this process may end at any moment
    },
  }
}
