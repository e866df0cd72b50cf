import type { Model, PersonMessage } from '@filewright/loop'
import {
  fail,
  type JournalLine,
  LIMITS,
  ok,
  type QueuedMessage,
  type Result,
  type Rewound,
  type SessionId,
  type StoppedBy,
  type WorkspaceId,
} from '@filewright/protocol'
import type { InboxItem } from '../log/log.ts'
import { createDeltas } from '../session/deltas.ts'
import type { Inboxes } from '../session/inboxes.ts'
import { streamEvents } from '../session/session-events.ts'
import { createLiveSessions, type LiveSessions, type LiveSessionsOptions } from './live-sessions.ts'
import { notEnded } from './not-ended.ts'
import { createQueue, queuedItem } from './queue.ts'
import { createResuming, type Resumed, type ResumeWishes } from './resume.ts'
import { createRewinding, type RewindWish } from './rewind.ts'
import { createRunDriver } from './run-driver.ts'
import { createSend, type Message, type Sent } from './send.ts'
import { findStoppedRun } from './stopped-run.ts'
import { turnTaking } from './turn-taking.ts'

/** Runs of the loop in this process. */
export interface Runs {
  /** Starts a run; while one is under way the message steers it. */
  send(sessionId: SessionId, message: Message): Promise<Result<Sent>>
  cancel(sessionId: SessionId, by: string): Promise<Result<null>>
  isUnderWay(sessionId: SessionId): boolean
  resume(sessionId: SessionId, wishes: ResumeWishes): Promise<Resumed>
  /** How the last run ended, where it can go on. */
  stoppedBy(sessionId: SessionId): Promise<StoppedBy | undefined>
  rewind(sessionId: SessionId, wish: RewindWish): Promise<Result<Rewound>>
  queued(sessionId: SessionId): Promise<readonly QueuedMessage[]>
  takeBack(sessionId: SessionId, messageId: string): Promise<Result<QueuedMessage>>
  clear(sessionId: SessionId): Promise<Result<{ conversationId: string }>>
  events(
    sessionId: SessionId,
    after: number,
    signal: AbortSignal,
  ): Promise<Response | Result<never>>
  /** How far a call has come, for those who listen now. */
  progress(sessionId: SessionId, toolCallId: string, text: string): void
  /** Another instance may take the session: its loop leaves the memory. False: a run is under way, or about to begin. */
  letGo(sessionId: SessionId): boolean
  /** The session was deleted: its event streams end, and nothing of it stays in memory. */
  forget(sessionId: SessionId): void
  /** Finishes what a crash cut off: going back, and runs if `autoResume` is set. */
  resumeAll(workspaceId: WorkspaceId): Promise<void>
  /** Those with a run under way here. */
  workspaces(): ReadonlySet<WorkspaceId>
  /** Another instance goes on with the runs of this workspace. */
  leave(workspaceId: WorkspaceId): Promise<void>
  /** Every run is left where it is, and whoever listens asks elsewhere for the rest. */
  close(): Promise<void>
}

export interface RunsOptions extends Omit<LiveSessionsOptions, 'deltas' | 'onTaken'> {
  readonly inboxes: Inboxes
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** A sentence for the person, the first time a model elsewhere is used. */
  readonly firstUse: (model: Model) => Promise<string | undefined>
  /** Resume runs that were cut off without asking. */
  readonly autoResume: boolean
}

export function createRuns(options: RunsOptions): Runs {
  const { log, ids, inboxes, logger } = options
  const deltas = createDeltas()
  const onTaken = (sessionId: SessionId) =>
    void queue
      .announce(sessionId)
      .catch(cause => logger.error('Queue.NotTold', cause, { sessionId }))
  const live = createLiveSessions({ ...options, deltas, onTaken })
  const queue = createQueue({ ...options, live, deltas })
  const driver = createRunDriver({ ...options, live, deltas, onTaken })
  const inTurn = turnTaking()
  const isUnderWay = (sessionId: SessionId) => live.get(sessionId)?.running !== undefined
  const rewinding = createRewinding({ ...options, inTurn, isUnderWay })
  const finishRewind = rewinding.finish
  const resuming = createResuming({ ...options, live, driver, inTurn, finishRewind })
  inboxes.setReader(sessionId => resuming.wake(sessionId))

  async function arrive(sessionId: SessionId, item: InboxItem, what: 'cancel' | 'other') {
    await inboxes.put(sessionId, [item])
    for (const listener of live.get(sessionId)?.arrivals ?? []) listener(what)
  }

  async function steer(sessionId: SessionId, message: PersonMessage) {
    const messageId = ids('message')
    await inboxes.put(sessionId, [queuedItem(message, messageId)])
    await queue.announce(sessionId)
    for (const listener of live.get(sessionId)?.arrivals ?? []) listener('other')
    return messageId
  }

  function toCancel(by: string): InboxItem {
    const line: JournalLine = { type: 'cancel', by }
    return { id: `cancel ${ids('message')}`, type: line.type, body: { line } }
  }

  const send = createSend({
    ...options,
    live,
    driver,
    steer,
    finishRewind,
  })
  const listening = createListening()

  return {
    send: inTurn(send),
    resume: resuming.resume,
    async resumeAll(workspaceId) {
      await rewinding.finishAll(workspaceId)
      await resuming.resumeAll(workspaceId)
    },
    stoppedBy: async sessionId => (await findStoppedRun(log, sessionId))?.stopped,
    rewind: rewinding.rewind,
    queued: queue.list,
    takeBack: queue.takeBack,
    isUnderWay,
    async cancel(sessionId, by) {
      const wasUnderWay = isUnderWay(sessionId)
      await arrive(sessionId, toCancel(by), 'cancel')
      await resuming.wake(sessionId, { mayResume: true })
      if (!wasUnderWay) await live.get(sessionId)?.running // it was waiting, so it ends at once without a model
      return ok(null)
    },
    clear: sessionId => clear(options, live, sessionId),
    async events(sessionId, after, asked) {
      const place = listening.join(sessionId, asked)
      if (!place.ok) return place
      const { signal, leave } = place.value
      return streamEvents(sessionId, after, { log, deltas, queued: queue.list, signal, leave })
    },
    progress: deltas.emitProgress,
    letGo(sessionId) {
      if (live.isInUse(sessionId)) return false
      live.drop(sessionId)
      return true
    },
    forget(sessionId) {
      live.drop(sessionId)
      deltas.forget(sessionId)
      options.outside.forget(sessionId)
      listening.end(sessionId)
    },
    workspaces: live.workspaces,
    async leave(workspaceId) {
      for (const id of await live.leave(({ actor }) => actor.workspaceId === workspaceId))
        listening.end(id)
    },
    async close() {
      await live.leave(() => true)
      listening.endAll()
    },
  }
}

/** A new conversation in the same session. */
async function clear(
  { actors, log, ids }: RunsOptions,
  live: LiveSessions,
  sessionId: SessionId,
): Promise<Result<{ conversationId: string }>> {
  const actor = await actors.open(sessionId)
  if (!actor.ok) return actor
  if (live.get(sessionId)?.running)
    return fail('CONFLICT', 'A run is under way. Cancel it before clearing the context.')
  // results of its open calls would never reach the conversation that made them
  const state = (await log.getSession(sessionId))?.state
  if (state === 'waiting' || state === 'running') return notEnded(state)
  const conversationId = ids('conversation')
  actor.value.setConversation(conversationId)
  await actor.value.append([{ type: 'conversation-start', reason: 'cleared' }])
  live.drop(sessionId)
  return ok({ conversationId })
}

/** The listeners of each session, until it is deleted. Each row and each word goes to all of them, so they have a bound. */
function createListening() {
  const heard = new Map<SessionId, { readonly control: AbortController; count: number }>()
  return {
    join(sessionId: SessionId, asked: AbortSignal) {
      const own = heard.get(sessionId) ?? { control: new AbortController(), count: 0 }
      if (own.count >= LIMITS.sessionStreams)
        return fail(
          'LIMIT_REACHED',
          `${LIMITS.sessionStreams} streams follow ${sessionId} already, and more are not served. End one that nobody reads, or read the rows in pages with GET …/log.`,
        )
      heard.set(sessionId, own)
      own.count++
      const leave = () => void own.count--
      return ok({ signal: AbortSignal.any([asked, own.control.signal]), leave })
    },
    end(sessionId: SessionId) {
      heard.get(sessionId)?.control.abort()
      heard.delete(sessionId)
    },
    endAll() {
      for (const { control } of heard.values()) control.abort()
      heard.clear()
    },
  }
}
