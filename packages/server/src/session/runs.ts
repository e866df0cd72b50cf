import { createHash } from 'node:crypto'
import {
  createLoop,
  type InboxItem,
  type Loop,
  type LoopPort,
  type Model,
  type OfferedTool,
  type RunOutcome,
  startRun,
} from '@filewright/loop'
import {
  type ApprovalPolicy,
  type CallIds,
  fail,
  type IdSource,
  type JournalLine,
  type LogRow,
  labelOf,
  ok,
  type Result,
  type RunId,
  type SessionEvent,
  type SessionId,
  type Toolset,
  type TurnId,
  type WorkspaceId,
} from '@filewright/protocol'
import { catalog, inToolset, type Sources, toOpenAi } from '@filewright/tools'
import type { ClientLink } from '../client-link.ts'
import { openEventStream } from '../http/event-stream.ts'
import type { Logger } from '../logger.ts'
import type { PatchFates } from '../patches/patch-fates.ts'
import type { Blobs } from '../store/blobs.ts'
import type { ToolRouter } from '../tool-router.ts'
import type { Workspaces } from '../workspaces.ts'
import type { SessionLog } from './log.ts'
import { createActiveFilesSource, gatherPrompt } from './prompt-gatherer.ts'
import type { SessionActor } from './session-actor.ts'
import type { Sessions } from './sessions.ts'

export interface Message {
  readonly text: string
  readonly model?: string
  readonly toolset?: Toolset
  readonly approve?: ApprovalPolicy
  readonly plan?: boolean
  readonly budget?: { readonly tokens?: number; readonly dollars?: number }
}

/** Runs of the loop in this process. */
export interface Runs {
  /** Starts a run; while one is under way the message steers it. */
  send(
    sessionId: SessionId,
    message: Message,
  ): Promise<
    Result<{ sessionId: SessionId; runId: RunId | null; model: string | null; steered: boolean }>
  >
  cancel(sessionId: SessionId, by: string): Promise<Result<null>>
  resume(
    sessionId: SessionId,
    options: Omit<Message, 'text'>,
  ): Promise<Result<{ sessionId: SessionId; resumed: boolean }>>
  clear(sessionId: SessionId): Promise<Result<{ conversationId: string }>>
  events(sessionId: SessionId, after: number, signal: AbortSignal): Promise<Response>
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
  /** Go on with runs found cut off, without being asked. */
  readonly autoResume: boolean
}

/** What a session's loop works with; made once a session. */
interface LiveSession {
  readonly actor: SessionActor
  readonly loop: Loop
  readonly listeners: Set<(what: 'cancel' | 'other') => void>
  readonly deltas: Set<(event: SessionEvent) => void>
  textSoFar: { turnId: TurnId; text: string } | undefined
  model: Model
  toolset: Toolset
  isPlan: boolean
  policy: ApprovalPolicy
  running: Promise<RunOutcome> | undefined
}

export function createRuns(options: RunsOptions): Runs {
  const { log, blobs, sessions, router, link, fates, ids, logger, now } = options
  const live = new Map<SessionId, LiveSession>()
  const deltasOf = new Map<SessionId, Set<(event: SessionEvent) => void>>()
  sessions.setInboxReader(wake)

  async function open(
    sessionId: SessionId,
    message: Omit<Message, 'text'>,
    model: Model,
  ): Promise<Result<LiveSession>> {
    const held = live.get(sessionId)
    if (held) {
      held.model = model
      if (message.toolset) held.toolset = message.toolset
      held.isPlan = message.plan ?? false
      if (message.approve) held.policy = message.approve
      return ok(held)
    }
    const actor = await sessions.actor(sessionId)
    if (!actor.ok) return actor
    const lease = await actor.value.held()
    const workspace = await options.workspaces.find(actor.value.workspaceId)
    const session: LiveSession = {
      actor: actor.value,
      loop: undefined as unknown as Loop,
      listeners: new Set(),
      deltas: listenersOf(sessionId),
      textSoFar: undefined,
      model,
      toolset: message.toolset ?? 'workshop',
      isPlan: message.plan ?? false,
      policy: message.approve ?? 'ask',
      running: undefined,
    }
    const port = createPort(session, lease, workspace.ok ? workspace.value.name : '')
    Object.assign(session, { loop: createLoop(port) })
    live.set(sessionId, session)
    return ok(session)
  }

  function createPort(
    session: LiveSession,
    held: Awaited<ReturnType<SessionActor['held']>>,
    workspaceName: string,
  ): LoopPort {
    const { actor } = session
    const { sessionId, workspaceId } = actor
    const reader = options.readerOf(workspaceId)
    const activeFiles = createActiveFilesSource(sessions.activeFiles(workspaceId, sessionId))
    const idsOf = async (turnId: TurnId, toolCallId: CallIds['toolCallId']): Promise<CallIds> => ({
      sessionId,
      conversationId: await actor.conversationId(),
      turnId,
      toolCallId,
    })
    let conversation: Awaited<ReturnType<SessionActor['conversationId']>>
    const ready = actor.conversationId().then(id => {
      conversation = id
    })
    return {
      get model() {
        return session.model
      },
      get tools() {
        return offered(session.toolset, session.isPlan)
      },
      ids,
      inbox: {
        async read() {
          await ready
          conversation = await actor.conversationId()
          return (await log.peekInbox(sessionId)).map(
            item => ({ id: item.id, ...(item.body as object) }) as InboxItem,
          )
        },
        onArrival(listener) {
          session.listeners.add(listener)
          return () => session.listeners.delete(listener)
        },
      },
      rows: after => log.read(sessionId, { after }),
      append(lines, consume) {
        const appending = log.appendNow(
          held.lease,
          lines.map(body => ({ conversationId: conversation, body })),
          { consume },
        )
        const durable = appending.kept.then(kept => {
          if (!kept.ok) throw new Error(kept.failure.message)
        })
        return { rows: appending.rows, durable }
      },
      async callTool(call, signal) {
        const callIds = await idsOf(call.turnId, call.id)
        const giveUp = () => void router.abandon(workspaceId, call.id)
        signal.addEventListener('abort', giveUp)
        const state = await router.call({
          ids: callIds,
          workspaceId,
          tool: call.name,
          arguments: call.arguments,
          policy: session.policy,
          author: session.model.name,
        })
        signal.removeEventListener('abort', giveUp)
        if ('pending' in state) return state.pending
        await fates.note(workspaceId, call.id, state.outcome)
        return state.outcome
      },
      async reconcile(call) {
        const state = await router.state(workspaceId, call.id)
        if (!state.ok || !state.value) return { type: 'unknown' }
        if ('pending' in state.value) return { type: 'pending', pending: state.value.pending }
        await fates.note(workspaceId, call.id, state.value.outcome)
        return { type: 'result', outcome: state.value.outcome }
      },
      async abandon(call) {
        await router.abandon(workspaceId, call.id)
        const state = await router.state(workspaceId, call.id)
        return state.ok && state.value && 'outcome' in state.value ? state.value.outcome : undefined
      },
      async keepResult(_toolCallId, text) {
        const stored = await blobs.put(new TextEncoder().encode(text), { durable: false })
        if (!stored.ok) throw new Error(stored.failure.message)
        return stored.value
      },
      promptInput: () =>
        gatherPrompt({
          workspaceId,
          sessionId,
          workspaceName,
          toolset: session.toolset,
          isPlan: session.isPlan,
          link,
          reader,
          log,
          now,
        }),
      activeFiles,
      image: sha256 => blobs.get(sha256 as never),
      emitDelta(turnId, text) {
        const before = session.textSoFar?.turnId === turnId ? session.textSoFar.text : ''
        session.textSoFar = { turnId, text: before + text }
        for (const listener of session.deltas) listener({ type: 'text-delta', turnId, text })
      },
      now: () => now().getTime(),
      sleep: (ms, signal) =>
        new Promise(resolve => {
          const timer = setTimeout(resolve, ms)
          signal.addEventListener('abort', () => {
            clearTimeout(timer)
            resolve()
          })
        }),
      sha256: text => createHash('sha256').update(text).digest('hex'),
      report: cause => logger.error('Loop.Failed', cause, { sessionId }),
      random: Math.random,
    }
  }

  function listenersOf(sessionId: SessionId) {
    let set = deltasOf.get(sessionId)
    if (!set) deltasOf.set(sessionId, (set = new Set()))
    return set
  }

  function go(session: LiveSession) {
    session.running ??= session.loop.run().then(
      outcome => {
        session.running = undefined
        if (outcome.type === 'lost') live.delete(session.actor.sessionId)
        return outcome
      },
      cause => {
        session.running = undefined
        live.delete(session.actor.sessionId)
        logger.error('Loop.Failed', cause, { sessionId: session.actor.sessionId })
        return { type: 'lost', cause } as RunOutcome
      },
    )
  }

  async function put(sessionId: SessionId, line: JournalLine, what: 'cancel' | 'other') {
    await log.putInbox(sessionId, {
      id: `${line.type} ${ids('message')}`,
      type: line.type,
      body: { line },
    })
    for (const listener of live.get(sessionId)?.listeners ?? []) listener(what)
  }

  /** What arrived belongs to a run: it takes it, and a run that waited goes on. */
  async function wake(sessionId: SessionId): Promise<boolean> {
    const session = live.get(sessionId)
    const state = (await log.getSession(sessionId))?.state
    if (session?.running) {
      for (const listener of session.listeners) listener('other')
      return true
    }
    if (state !== 'waiting' && state !== 'running') return false
    if (session) go(session)
    else await resume(sessionId, {})
    return true
  }

  /** The model and toolset of the run that is cut off or waits. */
  async function lastRun(sessionId: SessionId) {
    const rows = await log.read(sessionId, { limit: 1_000_000 })
    return rows.findLast(
      (row): row is LogRow<Extract<JournalLine, { type: 'run-start' }>> => row.type === 'run-start',
    )?.body
  }

  async function resume(
    sessionId: SessionId,
    given: Omit<Message, 'text'>,
  ): Promise<Result<{ sessionId: SessionId; resumed: boolean }>> {
    const session = await log.getSession(sessionId)
    if (!session || session.state === 'idle') return ok({ sessionId, resumed: false })
    if (live.get(sessionId)?.running) return ok({ sessionId, resumed: true })
    const run = await lastRun(sessionId)
    const model = await options.resolveModel(given.model ?? run?.model)
    if (!model.ok) return model
    const opened = await open(
      sessionId,
      { toolset: run?.toolset as Toolset, ...given },
      model.value,
    )
    if (!opened.ok) return opened
    go(opened.value)
    return ok({ sessionId, resumed: true })
  }

  return {
    resume,

    async send(sessionId, message) {
      const held = live.get(sessionId)
      if (held?.running) {
        await put(sessionId, { type: 'steer', text: message.text }, 'other')
        return ok({ sessionId, runId: null, model: held.model.name, steered: true })
      }
      const session = await log.getSession(sessionId)
      if (session?.state === 'waiting' || session?.state === 'running')
        return fail(
          'CONFLICT',
          `The last run of this session ${session.state === 'waiting' ? 'waits for a person' : 'was cut off'}. Answer its approvals, or resume or cancel it first.`,
        )
      const model = await options.resolveModel(message.model)
      if (!model.ok) return model
      const opened = await open(sessionId, message, model.value)
      if (!opened.ok) return opened
      const { toolset, actor } = opened.value
      if (session?.title === '') await log.setTitle(sessionId, message.text.slice(0, 60))
      const limits = {
        ...(message.budget?.tokens !== undefined && { budgetTokens: message.budget.tokens }),
        ...(message.budget?.dollars !== undefined && { budgetDollars: message.budget.dollars }),
      }
      const { runId, lines } = startRun(
        {
          text: message.text,
          model: model.value.name,
          toolset,
          tools: offered(toolset, opened.value.isPlan),
          limits,
        },
        ids,
      )
      await actor.append(lines)
      go(opened.value)
      return ok({ sessionId, runId, model: model.value.name, steered: false })
    },

    async cancel(sessionId, by) {
      await put(sessionId, { type: 'cancel', by }, 'cancel')
      await wake(sessionId)
      return ok(null)
    },

    async clear(sessionId) {
      const actor = await sessions.actor(sessionId)
      if (!actor.ok) return actor
      if (live.get(sessionId)?.running)
        return fail('CONFLICT', 'A run is under way. Cancel it before clearing the context.')
      const conversationId = ids('conversation')
      actor.value.setConversation(conversationId)
      await actor.value.append([{ type: 'conversation-start', reason: 'cleared' }])
      live.delete(sessionId)
      return ok({ conversationId })
    },

    /** Rows from the cursor on, then live; the text of the turn so far as one piece. */
    async events(sessionId, after, signal) {
      let stop = () => {}
      const stream = openEventStream(() => stop(), signal)
      let sent = after
      let isLive = false
      const early: LogRow[] = []
      const sendRows = (rows: readonly LogRow[]) => {
        for (const row of rows) {
          if (row.seq <= sent) continue
          sent = row.seq
          stream.send(
            JSON.stringify({ type: 'row', cursor: row.seq, row } satisfies SessionEvent),
            String(row.seq),
          )
        }
      }
      const stopRows = log.subscribe(sessionId, rows =>
        isLive ? sendRows(rows) : early.push(...rows),
      )
      const onDelta = (event: SessionEvent) => stream.send(JSON.stringify(event))
      const deltas = listenersOf(sessionId)
      stop = () => {
        stopRows()
        deltas.delete(onDelta)
      }
      sendRows(await log.read(sessionId, { after }))
      sendRows(early)
      isLive = true
      const session = live.get(sessionId)
      if (session?.running && session.textSoFar)
        stream.send(
          JSON.stringify({ type: 'text-so-far', ...session.textSoFar } satisfies SessionEvent),
        )
      deltas.add(onDelta)
      return stream.response
    },

    async resumeAll(workspaceId) {
      if (!options.autoResume) return
      for (const session of await log.listSessions({ workspaceId, state: 'running' })) {
        const resumed = await resume(session.sessionId, {})
        if (!resumed.ok)
          logger.event('Session.NotResumed', {
            sessionId: session.sessionId,
            reason: resumed.failure.message,
          })
      }
    },

    async close() {
      live.clear()
    },
  }
}

const offers = new Map<string, readonly OfferedTool[]>()

/** The tools of a toolset as a model is offered them; planning offers only what reads. */
function offered(toolset: Toolset, isPlan: boolean): readonly OfferedTool[] {
  const key = `${toolset} ${isPlan}`
  const held = offers.get(key)
  if (held) return held
  const tools = inToolset(catalog, toolset).filter(
    ({ declaration }) => !isPlan || declaration.writes === 'nothing',
  )
  const functions = new Map(toOpenAi(tools).map(offer => [offer.function.name, offer.function]))
  const made = tools.map(({ declaration }): OfferedTool => {
    const offer = functions.get(declaration.name)!
    return {
      name: declaration.name,
      description: declaration.summary,
      parameters: offer.parameters,
      guidance: declaration.guidance,
      readOnly: declaration.writes === 'nothing',
      label: args => labelOf(declaration, args),
      ...(declaration.aliases && { aliases: declaration.aliases }),
    }
  })
  offers.set(key, made)
  return made
}
