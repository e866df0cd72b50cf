import {
  createLoop,
  type Loop,
  type LoopLimits,
  type Model,
  type RunOutcome,
} from '@filewright/loop'
import {
  type ApprovalPolicy,
  type IdSource,
  ok,
  type Result,
  type SessionId,
  type TokenId,
  type Toolset,
  type WorkspaceId,
} from '@filewright/protocol'
import type { SourceReader, TextWork } from '@filewright/tools'
import type { ToolRouter } from '../calls/tool-router.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { SessionLog } from '../log/log.ts'
import type { HeldLease } from '../log/log-holder.ts'
import type { OutsideTools } from '../outside/outside-tools.ts'
import type { CallRecorder } from '../record/call-recorder.ts'
import type { Actors } from '../session/actors.ts'
import type { Deltas } from '../session/deltas.ts'
import type { SessionActor } from '../session/session-actor.ts'
import type { Sessions } from '../session/sessions.ts'
import type { Workspaces } from '../sources/workspaces.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Logger } from '../words/logger.ts'
import { createLoopPort, type HasOthers, type LoopSettings, type Spend } from './loop-port.ts'
import type { PersonalRules } from './prompt-gatherer.ts'

/** A message's settings for its run, besides its text. */
export interface RunWishes {
  readonly model?: string
  readonly toolset?: Toolset
  readonly approve?: ApprovalPolicy
  readonly plan?: boolean
  readonly light?: boolean
  /** Whose token asked for it, where what it uses is counted. */
  readonly tokenId?: TokenId
}

/** The parts of a session's loop. */
export interface LiveSession {
  readonly actor: SessionActor
  readonly loop: Loop
  readonly lease: HeldLease
  readonly settings: LoopSettings
  readonly arrivals: Set<(what: 'cancel' | 'other') => void>
  /** Inbox items that the loop is taking: too late to take them back. */
  readonly handedOut: Set<string>
  /** Items that the person took back: the loop must not see them any more. */
  readonly takenBack: Set<string>
  running: Promise<RunOutcome> | undefined
  /** Its run is another process's from now on, so nobody here is told that it stopped. */
  isLeft?: true
}

/** Sessions whose loops are in memory: those with a run under way, and those whose last run ended recently. */
export interface LiveSessions {
  get(sessionId: SessionId): LiveSession | undefined
  /** With its loop, set up by these wishes. */
  open(sessionId: SessionId, wishes: RunWishes, model: Model): Promise<Result<LiveSession>>
  /** A run begins, so the session is no longer idle. */
  use(sessionId: SessionId): void
  /** The run has ended. A next one starts at once while the loop is in memory; otherwise it reads the log again. */
  keepIdle(sessionId: SessionId): void
  drop(sessionId: SessionId): void
  workspaces(): ReadonlySet<WorkspaceId>
  /** A run is under way, or about to begin. */
  isInUse(sessionId: SessionId): boolean
  /** The loops of these sessions leave their runs where they are. */
  leave(of: (session: LiveSession) => boolean): Promise<readonly SessionId[]>
}

export interface LiveSessionsOptions {
  readonly log: SessionLog
  readonly blobs: Blobs
  readonly texts: TextWork
  readonly actors: Actors
  readonly sessions: Sessions
  readonly recorder: CallRecorder
  readonly outside: OutsideTools
  readonly router: ToolRouter
  readonly link: ClientLink
  readonly workspaces: Workspaces
  readonly deltas: Deltas
  readonly ids: IdSource
  readonly logger: Logger
  readonly now: () => Date
  /** What waited in a session's queue has changed. */
  readonly onTaken: (sessionId: SessionId) => void
  readonly personalRules: PersonalRules
  readonly readerOf: (workspaceId: WorkspaceId) => SourceReader
  readonly limits?: Partial<LoopLimits>
  /** What a model was paid for a run of this token. */
  readonly spend: Spend
  readonly hasOthers: HasOthers
}

const MOST_IDLE = 32 // each holds its conversation, which is a few megabytes

export function createLiveSessions(options: LiveSessionsOptions): LiveSessions {
  const { log, actors, sessions } = options
  const live = new Map<SessionId, LiveSession>()
  /** Sessions whose last run has ended, oldest first. */
  const idle = new Set<SessionId>()

  async function bring(actor: SessionActor, settings: LoopSettings): Promise<LiveSession> {
    const { sessionId, workspaceId } = actor
    const workspace = await options.workspaces.find(workspaceId)
    const arrivals: LiveSession['arrivals'] = new Set()
    const handedOut = new Set<string>()
    const takenBack = new Set<string>()
    const lease = await actor.held()
    const port = createLoopPort({
      ...options,
      settings,
      actor,
      arrivals,
      handedOut,
      takenBack,
      lease,
      reader: options.readerOf(workspaceId),
      workspaceName: workspace.ok ? workspace.value.name : '',
      activeFiles: sessions.activeFiles(workspaceId, sessionId),
    })
    const loop = createLoop(port, options.limits)
    return { actor, lease, settings, arrivals, handedOut, takenBack, loop, running: undefined }
  }

  async function lastToolset(sessionId: SessionId): Promise<Toolset | undefined> {
    return (await log.findLast(sessionId, 'run-start'))?.body.toolset as Toolset | undefined
  }

  return {
    get: sessionId => live.get(sessionId),
    async open(sessionId, wishes, model) {
      idle.delete(sessionId)
      const held = live.get(sessionId)
      if (held && (held.running || !held.lease.lost.aborted)) {
        Object.assign(held.settings, changed(wishes, model))
        return ok(held)
      }
      const found = await actors.open(sessionId)
      if (!found.ok) return found
      const session = await bring(found.value, {
        toolset: wishes.toolset ?? (await lastToolset(sessionId)) ?? 'workshop',
        policy: 'ask',
        ...changed(wishes, model),
      })
      live.set(sessionId, session)
      return ok(session)
    },
    use: sessionId => void idle.delete(sessionId),
    keepIdle(sessionId) {
      idle.add(sessionId)
      if (idle.size <= MOST_IDLE) return
      const [oldest] = idle
      idle.delete(oldest!)
      live.delete(oldest!)
    },
    drop(sessionId) {
      live.delete(sessionId)
      idle.delete(sessionId)
    },
    isInUse: sessionId => live.has(sessionId) && !idle.has(sessionId),
    workspaces: () =>
      new Set(
        [...live.values()].flatMap(({ actor, running }) => (running ? actor.workspaceId : [])),
      ),
    async leave(of) {
      const left = [...live.values()].filter(of)
      for (const session of left) {
        session.isLeft = true
        session.loop.leave()
      }
      await soon(Promise.all(left.map(({ running }) => running)))
      const ids = left.map(({ actor }) => actor.sessionId)
      for (const [i, id] of ids.entries())
        if (live.get(id) === left[i]) {
          live.delete(id)
          idle.delete(id)
        }
      return ids
    },
  }
}

/** A step that waits for a store would keep the session from others. Whatever it writes later is shut out with the lease. */
function soon(ending: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, LEAVE_MS)
  })
  return Promise.race([ending, late]).finally(() => clearTimeout(timer))
}

const LEAVE_MS = 500

function changed(
  { toolset, approve, plan = false, light = false, tokenId }: RunWishes,
  model: Model,
) {
  return {
    model,
    tokenId,
    isPlan: plan,
    isLight: light,
    ...(toolset && { toolset }),
    ...(approve && { policy: approve }),
  }
}
