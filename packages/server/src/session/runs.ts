import {
  createLoop,
  type Loop,
  type LoopLimits,
  type Model,
  type RunOutcome,
  startRun,
} from '@filewright/loop'
import {
  type ApprovalPolicy,
  fail,
  type IdSource,
  type JournalLine,
  ok,
  parseDocPath,
  type Result,
  type RunId,
  type SessionId,
  serialise,
  type Toolset,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Sources } from '@filewright/tools'
import type { ClientLink } from '../calls/client-link.ts'
import type { ToolRouter } from '../calls/tool-router.ts'
import type { SessionLog, WaitingItem } from '../log/log.ts'
import type { HeldLease } from '../log/log-holder.ts'
import type { PatchFates } from '../patches/patch-fates.ts'
import type { Workspaces } from '../sources/workspaces.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Logger } from '../words/logger.ts'
import { createLoopPort, type RunSettings } from './loop-port.ts'
import { mentionsIn } from './mentions.ts'
import { offeredTools } from './offered-tools.ts'
import type { SessionActor } from './session-actor.ts'
import { createDeltas, streamEvents } from './session-events.ts'
import type { Sessions } from './sessions.ts'

export interface Message {
  readonly text: string
  readonly model?: string
  readonly toolset?: Toolset
  readonly approve?: ApprovalPolicy
  readonly plan?: boolean
  readonly budget?: { readonly tokens?: number; readonly dollars?: number }
}

export interface Sent {
  readonly sessionId: SessionId
  /** Null where the message steers a run that is under way. */
  readonly runId: RunId | null
  readonly model: string
  readonly steered: boolean
  /** The first time that a model elsewhere is used: what is sent where. */
  readonly notice?: string
}

type Resumed = Result<{ sessionId: SessionId; resumed: boolean }>

/** Runs of the loop in this process. */
export interface Runs {
  /** Starts a run; while one is under way the message steers it. */
  send(sessionId: SessionId, message: Message): Promise<Result<Sent>>
  cancel(sessionId: SessionId, by: string): Promise<Result<null>>
  isUnderWay(sessionId: SessionId): boolean
  resume(sessionId: SessionId, options: Omit<Message, 'text'>): Promise<Resumed>
  clear(sessionId: SessionId): Promise<Result<{ conversationId: string }>>
  events(sessionId: SessionId, after: number, signal: AbortSignal): Promise<Response>
  /** The session is gone: whoever listens to it hears the end, and nothing of it is held. */
  forget(sessionId: SessionId): void
  /** Runs that a crash cut off go on, where this server may do that unasked. */
  resumeAll(workspaceId: WorkspaceId): Promise<void>
  close(): Promise<void>
}

export interface RunsOptions {
  readonly log: SessionLog
  readonly blobs: Blobs
  readonly sessions: Sessions
  readonly router: ToolRouter
  readonly link: ClientLink
  readonly workspaces: Workspaces
  readonly fates: PatchFates
  readonly ids: IdSource
  readonly logger: Logger
  readonly now: () => Date
  readonly readerOf: (workspaceId: WorkspaceId) => Sources
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** A sentence for the person, the first time that a model is used which is not on this machine. */
  readonly firstUse: (model: Model) => Promise<string | undefined>
  /** Go on with runs found cut off, without being asked. */
  readonly autoResume: boolean
  readonly limits?: Partial<LoopLimits>
}

const MOST_IDLE = 32 // each holds its conversation: a megabyte, or a few

/** What a session's loop works with. */
interface LiveSession {
  readonly actor: SessionActor
  readonly loop: Loop
  readonly lease: HeldLease
  readonly settings: RunSettings
  readonly arrivals: Set<(what: 'cancel' | 'other') => void>
  running: Promise<RunOutcome> | undefined
}

export function createRuns(options: RunsOptions): Runs {
  const { log, sessions, ids, logger } = options
  const live = new Map<SessionId, LiveSession>()
  /** Those whose last run has ended, longest ago first. */
  const idle = new Set<SessionId>()
  const deltas = createDeltas()
  const heard = new Map<SessionId, AbortController>()
  const inTurn = turnTaking()
  let isClosing = false
  sessions.setInboxReader(sessionId => wake(sessionId))

  async function open(
    sessionId: SessionId,
    message: Omit<Message, 'text'>,
    model: Model,
  ): Promise<Result<LiveSession>> {
    idle.delete(sessionId)
    const held = live.get(sessionId)
    if (held && (held.running || !held.lease.lost.aborted)) {
      Object.assign(held.settings, { model, isPlan: message.plan ?? false })
      if (message.toolset) held.settings.toolset = message.toolset
      if (message.approve) held.settings.policy = message.approve
      return ok(held)
    }
    const found = await sessions.actor(sessionId)
    if (!found.ok) return found
    const actor = found.value
    const workspace = await options.workspaces.find(actor.workspaceId)
    const settings: RunSettings = {
      model,
      toolset: message.toolset ?? (await lastToolset(sessionId)) ?? 'workshop',
      isPlan: message.plan ?? false,
      policy: message.approve ?? 'ask',
    }
    const arrivals: LiveSession['arrivals'] = new Set()
    const lease = await actor.held()
    const port = await createLoopPort({
      ...options,
      settings,
      actor,
      arrivals,
      deltas,
      lease,
      workspaceName: workspace.ok ? workspace.value.name : '',
      reader: options.readerOf(actor.workspaceId),
      activeFiles: sessions.activeFiles(actor.workspaceId, sessionId),
    })
    const session: LiveSession = {
      actor,
      lease,
      settings,
      arrivals,
      loop: createLoop(port, options.limits),
      running: undefined,
    }
    live.set(sessionId, session)
    return ok(session)
  }

  function go(session: LiveSession) {
    const { sessionId } = session.actor
    session.running ??= session.loop
      .run()
      .catch((cause: unknown): RunOutcome => {
        logger.error('Loop.Failed', cause, { sessionId })
        return { type: 'lost', cause: undefined }
      })
      .then(async outcome => {
        session.running = undefined
        deltas.end(sessionId)
        if (outcome.type === 'lost') {
          live.delete(sessionId)
          if (!isClosing) deltas.emitLost(sessionId, toLost(outcome.cause))
        } else if (outcome.type === 'ended') {
          keepIdle(sessionId)
          await takeLateMessage(session)
        }
        return outcome
      })
  }

  /** The next run of a session starts at once where its last one is held; of others it reads the log again. */
  function keepIdle(sessionId: SessionId) {
    idle.add(sessionId)
    if (idle.size <= MOST_IDLE) return
    const [oldest] = idle
    idle.delete(oldest!)
    live.delete(oldest!)
  }

  /** A message that came while the run was ending, or after it was cancelled, begins the next one. */
  async function takeLateMessage(session: LiveSession) {
    const waiting = await log.peekInbox(session.actor.sessionId)
    const late = waiting.find(item => item.type === 'steer')
    if (!late) return
    session.settings.policy = 'ask' // a yes to the run before is no yes to this one
    const stale = cancelsIn(waiting.slice(0, waiting.indexOf(late)))
    await begin(session, { text: steerText(late) }, [...stale, late.id])
  }

  async function begin(
    session: LiveSession,
    { text, budget }: Message,
    consume: readonly string[],
  ): Promise<RunId> {
    const { settings, actor } = session
    idle.delete(actor.sessionId)
    const limits = {
      ...(budget?.tokens !== undefined && { budgetTokens: budget.tokens }),
      ...(budget?.dollars !== undefined && { budgetDollars: budget.dollars }),
    }
    const tools = offeredTools(settings.toolset, settings.isPlan)
    const { toolset, isPlan: plan } = settings
    const request = { text, model: settings.model.name, toolset, tools, limits, plan }
    const { runId, lines } = startRun(request, ids)
    await actor.append(lines, { consume })
    go(session)
    return runId
  }

  /** What is mentioned and is a file becomes active; anything else behind an @ is text. */
  async function activateMentioned(sessionId: SessionId, text: string): Promise<void> {
    const mentioned = mentionsIn(text)
    const session = mentioned.length > 0 ? await log.getSession(sessionId) : undefined
    if (!session) return
    const files = sessions.activeFiles(session.workspaceId, sessionId)
    const active = new Set((await files.list()).map(({ docPath }) => docPath))
    for (const path of mentioned) {
      const docPath = parseDocPath(path)
      if (docPath.ok && !active.has(docPath.value)) await files.add(path, undefined)
    }
  }

  async function put(sessionId: SessionId, line: JournalLine, what: 'cancel' | 'other') {
    const id = `${line.type} ${ids('message')}`
    await log.putInbox(sessionId, { id, type: line.type, body: { line } })
    for (const listener of live.get(sessionId)?.arrivals ?? []) listener(what)
  }

  /** What arrived belongs to a run: it takes it, and a run that waited goes on. */
  async function wake(
    sessionId: SessionId,
    { mayResume = options.autoResume } = {},
  ): Promise<boolean> {
    const session = live.get(sessionId)
    if (session?.running) {
      for (const listener of session.arrivals) listener('other')
      return true
    }
    const state = (await log.getSession(sessionId))?.state
    if (state !== 'waiting' && state !== 'running') return false
    if (session) go(session)
    else if (mayResume) await resume(sessionId, {})
    return true // else it stays in the inbox for whoever resumes the run: this process may be gone in a moment
  }

  async function lastToolset(sessionId: SessionId): Promise<Toolset | undefined> {
    return (await lastRun(sessionId))?.toolset as Toolset | undefined
  }

  /** The model and toolset of the run that is cut off or waits, or was the last. */
  async function lastRun(sessionId: SessionId) {
    return (await log.findLast(sessionId, 'run-start'))?.body
  }

  const resume = inTurn(async (sessionId, given: Omit<Message, 'text'>): Promise<Resumed> => {
    const session = await log.getSession(sessionId)
    if (!session || session.state === 'idle') return ok({ sessionId, resumed: false })
    if (live.get(sessionId)?.running) return ok({ sessionId, resumed: true })
    const run = await lastRun(sessionId)
    const model = await options.resolveModel(given.model ?? run?.model)
    if (!model.ok) return model
    const opened = await open(
      sessionId,
      { toolset: run?.toolset as Toolset, plan: run?.plan, ...given },
      model.value,
    )
    if (!opened.ok) return opened
    go(opened.value)
    return ok({ sessionId, resumed: true })
  })

  return {
    resume,

    send: inTurn(async (sessionId, message: Message): Promise<Result<Sent>> => {
      const held = live.get(sessionId)
      const hasEnded = held?.running && (await log.getSession(sessionId))?.state === 'idle'
      if (hasEnded) await held.running // only its last steps are left
      if (held?.running) {
        await activateMentioned(sessionId, message.text)
        await put(sessionId, { type: 'steer', text: message.text }, 'other')
        return ok({ sessionId, runId: null, model: held.settings.model.name, steered: true })
      }
      const session = await log.getSession(sessionId)
      if (session?.state === 'waiting' || session?.state === 'running')
        return notEnded(session.state)
      const stale = cancelsIn(await log.peekInbox(sessionId)) // they came when no run was under way
      const model = await options.resolveModel(message.model)
      if (!model.ok) return model
      // each message says anew what may be written unasked: a yes to one is no yes to the next
      const asked = { ...message, approve: message.approve ?? 'ask' }
      const opened = await open(sessionId, asked, model.value)
      if (!opened.ok) return opened
      if (session?.title === '') await log.setTitle(sessionId, message.text.slice(0, 60))
      await activateMentioned(sessionId, message.text)
      const runId = await begin(opened.value, message, stale)
      const notices = [model.value.notice, await options.firstUse(model.value)]
      const notice = notices.filter(text => text !== undefined).join('\n')
      return ok({
        sessionId,
        runId,
        model: model.value.name,
        steered: false,
        ...(notice && { notice }),
      })
    }),

    async cancel(sessionId, by) {
      const isUnderWay = live.get(sessionId)?.running !== undefined
      await put(sessionId, { type: 'cancel', by }, 'cancel')
      await wake(sessionId, { mayResume: true })
      if (!isUnderWay) await live.get(sessionId)?.running // it waited: it ends at once, and no model is asked
      return ok(null)
    },

    isUnderWay: sessionId => live.get(sessionId)?.running !== undefined,

    async clear(sessionId) {
      const actor = await sessions.actor(sessionId)
      if (!actor.ok) return actor
      if (live.get(sessionId)?.running)
        return fail('CONFLICT', 'A run is under way. Cancel it before clearing the context.')
      // its calls have no results yet, and those would never reach the conversation that asked
      const state = (await log.getSession(sessionId))?.state
      if (state === 'waiting' || state === 'running') return notEnded(state)
      const conversationId = ids('conversation')
      actor.value.setConversation(conversationId)
      await actor.value.append([{ type: 'conversation-start', reason: 'cleared' }])
      live.delete(sessionId)
      return ok({ conversationId })
    },

    events(sessionId, after, asked) {
      const own = heard.get(sessionId) ?? new AbortController()
      heard.set(sessionId, own)
      const signal = AbortSignal.any([asked, own.signal])
      return streamEvents(sessionId, after, { log, deltas, signal })
    },

    forget(sessionId) {
      live.delete(sessionId)
      idle.delete(sessionId)
      deltas.forget(sessionId)
      heard.get(sessionId)?.abort()
      heard.delete(sessionId)
    },

    async resumeAll(workspaceId) {
      if (!options.autoResume) return
      for (const { sessionId } of await log.listSessions({ workspaceId, state: 'running' })) {
        const resumed = await resume(sessionId, {})
        if (!resumed.ok)
          logger.event('Session.NotResumed', { sessionId, reason: resumed.failure.message })
      }
    },

    async close() {
      isClosing = true
      const left = [...live.values()]
      for (const { loop } of left) loop.leave()
      await Promise.all(left.map(({ running }) => running))
      live.clear()
    },
  }
}

/** What begins or resumes a run of one session waits for what does so before it: two at once would be two loops. */
function turnTaking() {
  const oneAtATime = serialise()
  return <Given, Value>(work: (sessionId: SessionId, given: Given) => Promise<Value>) =>
    (sessionId: SessionId, given: Given): Promise<Value> =>
      oneAtATime(sessionId, () => work(sessionId, given))
}

/** Without a cause it is a fault of ours, which the log has. */
function toLost(cause: unknown) {
  if (cause === undefined)
    return {
      type: 'run-lost',
      kind: 'internal',
      message: 'The run stopped on an error of ours; the log of the server has the cause.',
    } as const
  const reason = cause instanceof Error ? cause.message : String(cause)
  return {
    type: 'run-lost',
    kind: 'unavailable',
    message: `The run stopped, because its log could not be kept: ${reason.replace(/\.$/, '')}. It can be resumed.`,
  } as const
}

function cancelsIn(items: readonly WaitingItem[]): string[] {
  return items.filter(({ type }) => type === 'cancel').map(({ id }) => id)
}

function steerText({ body }: WaitingItem): string {
  return (body as { line: { text: string } }).line.text
}

function notEnded(state: 'waiting' | 'running'): Result<never> {
  const found = state === 'waiting' ? 'waits for a person' : 'was cut off'
  return fail(
    'CONFLICT',
    `The last run of this session ${found}. Answer its approvals, or resume or cancel it first.`,
  )
}
