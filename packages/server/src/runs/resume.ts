import type { Model } from '@filewright/loop'
import {
  type LineOf,
  ok,
  type Result,
  type RunId,
  type SessionId,
  type TokenId,
  type Toolset,
  type WorkspaceId,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { Logger } from '../words/logger.ts'
import type { LiveSession, LiveSessions, RunWishes } from './live-sessions.ts'
import { cancelsIn, type RunBounds, type RunDriver } from './run-driver.ts'
import { findStoppedRun } from './stopped-run.ts'
import type { InTurn } from './turn-taking.ts'

/** Goes on with runs that were cut off or wait. */
export interface Resuming {
  resume(sessionId: SessionId, wishes: ResumeWishes): Promise<Resumed>
  /** Resumes runs that a crash cut off, if `autoResume` is set. */
  resumeAll(workspaceId: WorkspaceId): Promise<void>
  /** Something arrived: a run under way takes it, and a waiting run goes on. Answers whether there is such a run. */
  wake(sessionId: SessionId, options?: { readonly mayResume?: boolean }): Promise<boolean>
}

export type Resumed = Result<{ sessionId: SessionId; resumed: boolean }>

export interface ResumeWishes extends RunWishes, RunBounds {
  /** Go on also with a run that ended at a limit, by a cancel or with a failure. */
  readonly goOn?: boolean
}

export interface ResumingOptions {
  readonly live: LiveSessions
  readonly driver: RunDriver
  readonly log: SessionLog
  readonly logger: Logger
  readonly inTurn: InTurn
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** Resume runs that were cut off without asking. */
  readonly autoResume: boolean
  readonly finishRewind: (sessionId: SessionId) => Promise<Result<unknown>>
}

/** Each may wait until the lease of an instance that died ends. */
const TOGETHER = 8

export function createResuming(options: ResumingOptions): Resuming {
  const { live, driver, log, logger, inTurn, resolveModel, autoResume } = options

  const resume = inTurn(async (sessionId, wishes: ResumeWishes): Promise<Resumed> => {
    const session = await log.getSession(sessionId)
    if (live.get(sessionId)?.running) return ok({ sessionId, resumed: true })
    const rewound = await options.finishRewind(sessionId)
    if (!rewound.ok) return rewound
    const isOver = !session || session.state === 'idle'
    const stopped = isOver && wishes.goOn ? await findStoppedRun(log, sessionId) : undefined
    if (isOver && !stopped) return ok({ sessionId, resumed: false })
    // with the settings of the run that is cut off, waits or stopped
    const run = (await log.findLast(sessionId, 'run-start'))?.body
    const model = await resolveModel(wishes.model ?? run?.model)
    if (!model.ok) return model
    const tokenId = run?.token_id as TokenId | undefined
    const before = { toolset: run?.toolset as Toolset, plan: run?.plan, tokenId }
    const opened = await live.open(sessionId, { ...before, ...wishes }, model.value)
    if (!opened.ok) return opened
    if (stopped) await goOn(opened.value, stopped.runId, run, wishes)
    else driver.go(opened.value)
    return ok({ sessionId, resumed: true })
  })

  /** A new run in the same conversation, with the bounds of the one that stopped unless others are given. */
  async function goOn(
    session: LiveSession,
    goesOn: RunId,
    run: LineOf<'run-start'> | undefined,
    wishes: ResumeWishes,
  ) {
    const stale = cancelsIn(await log.peekInbox(session.actor.sessionId))
    const bounds = { effort: run?.effort, limits: run?.limits, ...wishes }
    await driver.begin(session, { ...bounds, on: { goesOn } }, stale)
  }

  async function resumeLeft(sessionId: SessionId): Promise<void> {
    if (live.get(sessionId)?.running) return
    try {
      const resumed = await resume(sessionId, {})
      if (!resumed.ok)
        logger.event('Session.NotResumed', { sessionId, reason: resumed.failure.message })
    } catch (cause) {
      logger.error('Session.NotResumed', cause, { sessionId }) // another may still hold it
    }
  }

  return {
    resume,
    async resumeAll(workspaceId) {
      if (!autoResume) return
      const left = [...(await log.listSessions({ workspaceId, state: 'running' }))]
      const each = async () => {
        for (let next = left.shift(); next; next = left.shift()) await resumeLeft(next.sessionId)
      }
      await Promise.all(Array.from({ length: TOGETHER }, each))
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
