import type {
  ConversationId,
  JournalLine,
  LogRow,
  Result,
  SessionId,
  ToolCallId,
  WorkspaceId,
} from '@filewright/protocol'

/**
 * The right to append to one session, fenced by its epoch: a later claim shuts this one out. It ends on release, when
 * it expires and another holder claims, and with the first failed append.
 */
export interface Lease {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly holder: string
  readonly epoch: number
  /** By the database's clock, in ms since 1970. */
  readonly expires: number
}

export interface NewLine {
  readonly conversationId: ConversationId
  readonly body: JournalLine
}

/**
 * `written`: survives the death of the process. `durable`: survives a loss of power too. `durable-soon`: the same, within
 * milliseconds or with the next `durable`, whichever comes first.
 */
export type Acknowledge = 'durable' | 'durable-soon' | 'written'

export interface AppendOptions {
  /** `written` suits rows whose loss in a power failure costs nothing, such as those of a read. Default `durable`. */
  readonly acknowledge?: Acknowledge
  /** Inbox items consumed with these lines, in the same transaction. CONFLICT: one was already consumed. */
  readonly consume?: readonly string[]
}

export interface Appended {
  readonly rows: readonly LogRow[]
  /** Calls that already had their one result: these lines were dropped. */
  readonly alreadyEnded: readonly ToolCallId[]
}

/** Appended rows that are not yet acknowledged. */
export interface Appending extends Appended {
  /** Settles when the rows are kept as requested. If it fails or rejects, `rows` is empty or void. */
  readonly kept: Promise<Result<Appended, AppendFailure>>
}

export type LeaseFailure = 'LEASE_LOST'
/** CONFLICT leaves the lease unchanged: nothing was numbered. */
export type AppendFailure = LeaseFailure | 'CONFLICT'

/**
 * `idle`: no run; `waiting`: a run that stopped for a person. Kept by `append` from run-start, run-end and the row with
 * which a run that waited goes on.
 */
export type SessionState = 'idle' | 'running' | 'waiting'

/** `work`: a person's work. `standing`: the one session of a workspace for calls that belong to no work. */
export type SessionKind = 'work' | 'standing'

export interface Session {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly kind: SessionKind
  readonly title: string
  /** The open conversation; a `conversation-start` row moves it. */
  readonly conversationId: ConversationId
  readonly state: SessionState
  /** ISO 8601. */
  readonly created: string
  readonly updated: string
}

export interface NewSession {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly conversationId: ConversationId
  readonly title?: string
}

/** A call that started and has no result. */
export interface OpenCall {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
  readonly name: string
}

/** Types of lines whose newest in a session is found without reading the rows after it. */
export type MarkedType = 'run-start' | 'conversation-start' | 'context' | 'assistant_message'

export type RowOf<Type extends JournalLine['type']> = LogRow<Extract<JournalLine, { type: Type }>>

/** Of every session there is. */
export interface Tally {
  readonly running: number
  readonly waiting: number
  /** Items that wait in inboxes. */
  readonly mail: number
}

/** What a person or a client sends to a session: an answer, a decision, a message. */
export interface InboxItem {
  /** Unique within its session: sending it again changes nothing. */
  readonly id: string
  readonly type: string
  readonly body: unknown
}

export interface WaitingItem extends InboxItem {
  readonly sessionId: SessionId
  readonly position: number
  /** ISO 8601. */
  readonly time: string
}

export type CallsOf = { readonly sessionId: SessionId } | { readonly workspaceId: WorkspaceId }

export type Unsubscribe = () => void

/**
 * The one log (CONTRACT §7) with its sessions, leases and inboxes. Only the holder of a session's lease appends;
 * everybody else puts into its inbox. `seq` counts from 1 without a gap, and is the cursor.
 *
 * The one writer numbers its rows itself: since its claim it knows the last number, the calls that have ended and the
 * items it consumed. So a row has its number before it is kept, even if the storage is on another machine. Rows become
 * durable in order. If one cannot be kept, all rows numbered after it fail too, and the lease is over (LEASE_LOST). The
 * failed rows may or may not be in the log: the holder claims again and reads it.
 */
export interface SessionLog {
  createSession(session: NewSession): Promise<Result<Session, 'CONFLICT'>>
  /** The standing session of the workspace. If it has none, creates this one; concurrent callers get the same. */
  standingSession(session: NewSession): Promise<Session>
  getSession(sessionId: SessionId): Promise<Session | undefined>
  /** Most recently used first, in the order of the log. */
  listSessions(filter?: {
    readonly workspaceId?: WorkspaceId
    readonly state?: SessionState
    readonly limit?: number
  }): Promise<readonly Session[]>
  setTitle(sessionId: SessionId, title: string): Promise<Result<Session, 'NOT_FOUND'>>
  /** Deletes its rows, its inbox, and the blobs that nothing else names. */
  deleteSession(
    sessionId: SessionId,
  ): Promise<Result<{ readonly rows: number; readonly blobs: number }, 'NOT_FOUND'>>

  /** The default lifetime of a lease: how long a dead holder blocks its session. */
  readonly leaseMs: number
  /**
   * LOCKED while another lease lives. A lease that a failed append ended is free at once for the process that saw it.
   * `holder` names one claimant, such as a process and a random part.
   */
  claim(
    sessionId: SessionId,
    holder: string,
    ttlMs?: number,
  ): Promise<Result<Lease, 'NOT_FOUND' | 'LOCKED'>>
  renew(lease: Lease, ttlMs?: number): Promise<Result<Lease, LeaseFailure>>
  /** Releasing a lost lease has no effect on the current holder. */
  release(lease: Lease): Promise<void>

  /** All lines or none, in call order. Resolves when they are acknowledged; a rejection ends the lease too. */
  append(
    lease: Lease,
    lines: readonly NewLine[],
    options?: AppendOptions,
  ): Promise<Result<Appended, AppendFailure>>
  /**
   * The same for a holder that continues at once: the rows have their numbers, `kept` settles later. A throw leaves the
   * lease intact.
   */
  appendNow(lease: Lease, lines: readonly NewLine[], options?: AppendOptions): Appending
  /** Rows after the cursor, in order; all without a limit. This process also sees its own appends. */
  read(
    sessionId: SessionId,
    options?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly LogRow[]>
  /** The newest seq; 0 for an empty session. */
  lastSeq(sessionId: SessionId): Promise<number>
  /** The one result of a call, if it has ended. */
  findResult(
    sessionId: SessionId,
    toolCallId: ToolCallId,
  ): Promise<RowOf<'tool_result'> | undefined>
  /** The row with which a call started; of several, the newest. */
  findStart(sessionId: SessionId, toolCallId: ToolCallId): Promise<RowOf<'call-start'> | undefined>
  /** Calls of a session or of a workspace that started and have no result, oldest first. */
  openCalls(of: CallsOf): Promise<readonly OpenCall[]>
  /** What the model answered in a turn. */
  findAnswer(sessionId: SessionId, turnId: string): Promise<RowOf<'assistant_message'> | undefined>
  /** The newest row of one of these types. */
  findLast<Type extends MarkedType>(
    sessionId: SessionId,
    ...types: readonly Type[]
  ): Promise<RowOf<Type> | undefined>
  /**
   * New rows of this process in order, each once acknowledged. To miss none: subscribe, read from the cursor, then drop
   * the rows that `seq` shows were already read.
   */
  subscribe(sessionId: SessionId, onRows: (rows: readonly LogRow[]) => void): Unsubscribe

  /** Acknowledged when durable. `duplicate`: an item with this id arrived before, consumed or not. */
  putInbox(
    sessionId: SessionId,
    item: InboxItem,
  ): Promise<Result<{ readonly duplicate: boolean }, 'NOT_FOUND'>>
  /** Waiting items in order of arrival; all without a limit. */
  peekInbox(sessionId: SessionId, limit?: number): Promise<readonly WaitingItem[]>
  /** Sessions with a non-empty inbox, which a new owner checks first. */
  sessionsWithMail(): Promise<readonly SessionId[]>
  /** For whoever watches the installation. */
  tally(): Promise<Tally>
  /** Called with the session's id after each new item. A hint: `peekInbox` returns the items. */
  onMail(wake: (sessionId: SessionId) => void): Unsubscribe
}

export const LEASE_MS = 1_000 // STACK: takeover about 1 s after a holder died
