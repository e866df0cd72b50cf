import {
  type ConversationId,
  fail,
  type JournalLine,
  ok,
  type Result,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { AppendOptions, NewLine, SessionLog } from '../log/log.ts'
import { type HeldLease, holdSession } from '../log/log-holder.ts'

const SOON_MS = 25
const SOON_ROWS = 400

/** One owner holds its sessions for long: a renewal is a write, and after its death the next one frees them at its start. */
const HOLD_MS = 60 * 60_000

/** The one writer of a session's log in this process. */
export interface SessionActor {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  conversationId(): ConversationId
  append(lines: readonly JournalLine[], options?: AppendOptions): Promise<void>
  /** The same for who goes on meanwhile: numbered at once, `kept` when it is on the disk. */
  begin(lines: readonly JournalLine[]): Promise<{ readonly kept: Promise<void> }>
  /**
   * Once the answer is out, many together: for rows whose loss with the process costs nothing, such as those of a read.
   * They are made just after the answer, when whoever asked is looking at it, and what they were made of is let go.
   */
  appendSoon(makeLines: () => readonly JournalLine[], options?: SoonOptions): void
  flush(): Promise<void>
  /** All that was to be appended is on the disk, or `onLost` has heard why not. */
  settle(): Promise<void>
  held(): Promise<HeldLease>
  setConversation(id: ConversationId): void
  release(): Promise<void>
}

export interface SoonOptions {
  /** Default `written`. */
  readonly acknowledge?: 'written' | 'durable-soon'
}

export interface ActorOptions {
  readonly log: SessionLog
  readonly holder: string
  /** Rows of reads could not be kept. */
  readonly onLost: (cause: unknown) => void
}

export async function openActor(
  sessionId: SessionId,
  { log, holder, onLost }: ActorOptions,
): Promise<Result<SessionActor, 'NOT_FOUND'>> {
  const session = await log.getSession(sessionId)
  if (!session) return fail('NOT_FOUND', `There is no session "${sessionId}".`)
  let conversation = session.conversationId
  let holding: Promise<HeldLease> | undefined

  function held(): Promise<HeldLease> {
    holding ??= hold()
    return holding
  }

  /** What ended it may pass: whoever appends next claims the session again. */
  async function hold(): Promise<HeldLease> {
    try {
      const claimed = await holdSession(log, sessionId, holder, HOLD_MS)
      if (!claimed.ok) throw new Error(claimed.failure.message)
      claimed.value.lost.addEventListener('abort', forgetLease)
      return claimed.value
    } catch (error) {
      forgetLease()
      throw error
    }
  }

  function forgetLease() {
    holding = undefined
  }

  const unmade: (() => NewLine[])[] = []
  const soon: NewLine[] = []
  let acknowledgeSoon: SoonOptions['acknowledge'] = 'written'
  let lastSoon: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function makeSoon() {
    for (const make of unmade.splice(0)) soon.push(...make())
  }

  /** Lines that wait go with it, before its own. */
  async function begin(lines: readonly JournalLine[], options?: AppendOptions) {
    const lease = await held()
    clearTimeout(timer)
    timer = undefined
    makeSoon()
    const rows = soon.splice(0)
    for (const body of lines) rows.push({ conversationId: conversation, body })
    if (rows.length === 0) return { kept: Promise.resolve() }
    const isWeaker = options?.acknowledge === 'written'
    const strongest = isWeaker ? { ...options, acknowledge: acknowledgeSoon } : options
    const kept = lease.append(rows, strongest).then(appended => {
      if (!appended.ok) throw new Error(appended.failure.message)
    })
    kept.catch(() => {}) // whoever waits for it hears of it
    if (acknowledgeSoon !== 'written') lastSoon = kept
    acknowledgeSoon = 'written'
    return { kept }
  }

  async function append(lines: readonly JournalLine[], options?: AppendOptions) {
    await (await begin(lines, options)).kept
  }

  async function flush() {
    if (soon.length + unmade.length === 0) return
    const isWaitedFor = acknowledgeSoon === 'written'
    const { kept } = await begin([], { acknowledge: 'written' })
    if (isWaitedFor) await kept
    else kept.catch(onLost) // who reads the log finds them; when they last is nobody's business here
  }

  async function settle() {
    if (soon.length + unmade.length > 0) await append([]).catch(onLost)
    await lastSoon.catch(() => {}) // told already
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
    appendSoon(makeLines, { acknowledge = 'written' } = {}) {
      const conversationId = conversation
      if (acknowledge !== 'written') acknowledgeSoon = acknowledge
      unmade.push(() => makeLines().map(body => ({ conversationId, body })))
      if (soon.length >= SOON_ROWS) return void flush().catch(onLost)
      if (unmade.length === 1) setImmediate(makeSoon)
      timer ??= setTimeout(() => flush().catch(onLost), SOON_MS)
    },
    flush,
    settle,
    async release() {
      await settle()
      const lease = await holding?.catch(() => undefined)
      holding = undefined
      await lease?.release()
    },
  })
}
