import type { Model } from '@filewright/loop'
import {
  fail,
  type JournalLine,
  ok,
  type Result,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import { createDeltas } from '../session/deltas.ts'
import type { Inboxes } from '../session/inboxes.ts'
import { streamEvents } from '../session/session-events.ts'
import {
  createLiveSessions,
  type LiveSessions,
  type LiveSessionsOptions,
  type RunWishes,
} from './live-sessions.ts'
import { createResuming, type Resumed } from './resume.ts'
import { createRunDriver } from './run-driver.ts'
import { createSend, type Message, notEnded, type Sent } from './send.ts'
import { turnTaking } from './turn-taking.ts'

/** Runs of the loop in this process. */
export interface Runs {
  /** Starts a run; while one is under way the message steers it. */
  send(sessionId: SessionId, message: Message): Promise<Result<Sent>>
  cancel(sessionId: SessionId, by: string): Promise<Result<null>>
  isUnderWay(sessionId: SessionId): boolean
  resume(sessionId: SessionId, wishes: RunWishes): Promise<Resumed>
  clear(sessionId: SessionId): Promise<Result<{ conversationId: string }>>
  events(sessionId: SessionId, after: number, signal: AbortSignal): Promise<Response>
  /** The session is gone: whoever listens to it hears the end, and nothing of it is held. */
  forget(sessionId: SessionId): void
  /** Runs that a crash cut off go on, where this server may do that unasked. */
  resumeAll(workspaceId: WorkspaceId): Promise<void>
  close(): Promise<void>
}

export interface RunsOptions extends Omit<LiveSessionsOptions, 'deltas'> {
  readonly inboxes: Inboxes
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** A sentence for the person, the first time that a model is used which is not on this machine. */
  readonly firstUse: (model: Model) => Promise<string | undefined>
  /** Go on with runs found cut off, without being asked. */
  readonly autoResume: boolean
}

export function createRuns(options: RunsOptions): Runs {
  const { log, ids, inboxes } = options
  const deltas = createDeltas()
  const live = createLiveSessions({ ...options, deltas })
  const driver = createRunDriver({ ...options, live, deltas })
  const inTurn = turnTaking()
  const resuming = createResuming({ ...options, live, driver, inTurn })
  inboxes.setReader(sessionId => resuming.wake(sessionId))

  async function arrive(sessionId: SessionId, line: JournalLine, what: 'cancel' | 'other') {
    const id = `${line.type} ${ids('message')}`
    await inboxes.put(sessionId, [{ id, type: line.type, body: { line } }])
    for (const listener of live.get(sessionId)?.arrivals ?? []) listener(what)
  }

  const send = createSend({
    ...options,
    live,
    driver,
    steer: (sessionId, text) => arrive(sessionId, { type: 'steer', text }, 'other'),
  })
  const isUnderWay = (sessionId: SessionId) => live.get(sessionId)?.running !== undefined
  const listening = createListening()

  return {
    send: inTurn(send),
    resume: resuming.resume,
    resumeAll: resuming.resumeAll,
    isUnderWay,
    async cancel(sessionId, by) {
      const wasUnderWay = isUnderWay(sessionId)
      await arrive(sessionId, { type: 'cancel', by }, 'cancel')
      await resuming.wake(sessionId, { mayResume: true })
      if (!wasUnderWay) await live.get(sessionId)?.running // it waited: it ends at once, and no model is asked
      return ok(null)
    },
    clear: sessionId => clear(options, live, sessionId),
    events: (sessionId, after, asked) =>
      streamEvents(sessionId, after, { log, deltas, signal: listening.join(sessionId, asked) }),
    forget(sessionId) {
      live.drop(sessionId)
      deltas.forget(sessionId)
      listening.end(sessionId)
    },
    async close() {
      driver.leave()
      await live.close()
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
  // its calls have no results yet, and those would never reach the conversation that asked
  const state = (await log.getSession(sessionId))?.state
  if (state === 'waiting' || state === 'running') return notEnded(state)
  const conversationId = ids('conversation')
  actor.value.setConversation(conversationId)
  await actor.value.append([{ type: 'conversation-start', reason: 'cleared' }])
  live.drop(sessionId)
  return ok({ conversationId })
}

/** Who listens to a session, until it goes. */
function createListening() {
  const heard = new Map<SessionId, AbortController>()
  return {
    join(sessionId: SessionId, asked: AbortSignal): AbortSignal {
      const own = heard.get(sessionId) ?? new AbortController()
      heard.set(sessionId, own)
      return AbortSignal.any([asked, own.signal])
    },
    end(sessionId: SessionId) {
      heard.get(sessionId)?.abort()
      heard.delete(sessionId)
    },
  }
}
