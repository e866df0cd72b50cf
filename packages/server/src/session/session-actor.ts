import {
  type ConversationId,
  fail,
  type JournalLine,
  ok,
  type Result,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { AppendOptions, SessionLog } from '../log/log.ts'
import type { HeldLease } from '../log/log-holder.ts'
import { createSessionLease } from './session-lease.ts'
import { createSoonRows, type SoonAcknowledge } from './soon-rows.ts'

/** The one writer of a session's log in this process. */
export interface SessionActor {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  conversationId(): ConversationId
  append(lines: readonly JournalLine[], options?: AppendOptions): Promise<void>
  /** The same for a caller that goes on meanwhile: `kept` resolves when the rows are on the disk. */
  begin(lines: readonly JournalLine[]): Promise<{ readonly kept: Promise<void> }>
  /**
   * For rows whose loss with the process costs nothing, such as those of a read. They are made just after the answer has
   * gone out and appended many at a time.
   */
  appendSoon(makeLines: () => readonly JournalLine[], options?: SoonOptions): void
  flush(): Promise<void>
  /** Resolves when all rows are on the disk, or `onLost` has been called. */
  settle(): Promise<void>
  held(): Promise<HeldLease>
  setConversation(id: ConversationId): void
  /** For how long nothing was appended. */
  idleMs(): number
  release(): Promise<void>
}

export interface SoonOptions {
  /** Default `written`. */
  readonly acknowledge?: SoonAcknowledge
}

export interface ActorOptions {
  readonly log: SessionLog
  readonly holder: string
  /** Called when rows of reads could not be written. */
  readonly onLost: (cause: unknown) => void
}

export async function openActor(
  sessionId: SessionId,
  { log, holder, onLost }: ActorOptions,
): Promise<Result<SessionActor, 'NOT_FOUND'>> {
  const session = await log.getSession(sessionId)
  if (!session) return fail('NOT_FOUND', `There is no session "${sessionId}".`)
  const lease = createSessionLease(log, sessionId, holder)
  const soon = createSoonRows(() => void flush().catch(onLost))
  let conversation = session.conversationId
  let lastSoon: Promise<void> = Promise.resolve()
  let lastUse = Date.now()
  let asking = 0

  async function held(): Promise<HeldLease> {
    asking++
    const claimed = await lease.held().finally(() => asking--)
    lastUse = Date.now()
    return claimed
  }

  /** Appends waiting lines first, then its own. */
  async function begin(lines: readonly JournalLine[], options?: AppendOptions) {
    const own = await held()
    const { rows, acknowledge } = soon.take()
    for (const body of lines) rows.push({ conversationId: conversation, body })
    if (rows.length === 0 && !options?.consume) return { kept: Promise.resolve() }
    const isWeaker = options?.acknowledge === 'written'
    const strongest = isWeaker ? { ...options, acknowledge } : options
    const kept = own.append(rows, strongest).then(appended => {
      if (!appended.ok) throw new Error(appended.failure.message)
    })
    kept.catch(() => {}) // the waiter gets the error
    if (acknowledge !== 'written') lastSoon = kept
    return { kept }
  }

  async function append(lines: readonly JournalLine[], options?: AppendOptions) {
    await (await begin(lines, options)).kept
  }

  async function flush() {
    if (soon.isEmpty()) return
    const isWaitedFor = soon.acknowledge() === 'written'
    const { kept } = await begin([], { acknowledge: 'written' })
    if (isWaitedFor) await kept
    else kept.catch(onLost) // readers of the log find the rows; nobody here waits until they are durable
  }

  async function settle() {
    if (!soon.isEmpty()) await append([]).catch(onLost)
    await lastSoon.catch(() => {}) // `onLost` was called
  }

  return ok({
    sessionId,
    workspaceId: session.workspaceId,
    conversationId: () => conversation,
    setConversation: id => {
      conversation = id
    },
    held,
    append,
    begin: lines => begin(lines),
    idleMs: () => (soon.isEmpty() && asking === 0 ? Date.now() - lastUse : 0),
    appendSoon(makeLines, { acknowledge = 'written' } = {}) {
      const conversationId = conversation
      soon.add(() => makeLines().map(body => ({ conversationId, body })), acknowledge)
    },
    flush,
    settle,
    async release() {
      await settle()
      await lease.release()
    },
  })
}
