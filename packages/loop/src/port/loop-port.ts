import type {
  CommonCode,
  Effect,
  IdSource,
  JournalLine,
  LogRow,
  Pending,
  ToolCallId,
  ToolOffer,
  ToolOutcome,
  TurnId,
} from '@filewright/protocol'
import type { Model } from './model.ts'
import type { HouseRules, PromptFiles, PromptInput } from './prompt-input.ts'

/** Thrown by a port that cannot go on for now: the run stops as if the process had died, and goes on later from the log. */
export class RunCut extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** The reason of a signal that ends a step because this process no longer runs the session: what it began goes on elsewhere. */
export const RUN_LEFT = 'run-left'

/** Everything the loop may touch; the session of the server implements it. */
export interface LoopPort {
  readonly model: Model
  /** Offered to the model. The same array while the toolset is the same. */
  readonly tools: readonly OfferedTool[]
  /** Offered to a helper that answers a delegated question: they only read. */
  readonly helperTools: readonly OfferedTool[]
  readonly inbox: Inbox
  readonly ids: IdSource
  /** The session's rows with `seq > after`, in order. */
  rows(after: number): Promise<readonly LogRow[]>
  /** Numbers the lines at once, in one transaction; `consumed` leaves the inbox in the same one. */
  append(lines: readonly JournalLine[], consumed?: readonly string[]): AppendedRows
  /**
   * Runs a call. A failure is an outcome; a throw is a bug and becomes INTERNAL_ERROR. The call's id keys idempotency: the
   * same id is done at most once. A call that needs a person answers `pending` without waiting. Its row is on its way to
   * the disk meanwhile: whatever leads up to an effect need not wait for `begun`, the effect itself must.
   */
  callTool(
    call: ToolCall,
    signal: AbortSignal,
    begun?: Promise<void>,
  ): Promise<ToolOutcome | Pending>
  /** The outcome of a call that was started or decided before. May take as long as the call itself. */
  reconcile(call: ToolCall, signal: AbortSignal): Promise<Reconciled>
  /**
   * Settles a call that must have no later effect (timed out, cancelled), and withdraws its approval. It answers with the
   * outcome where the effect has happened already, or nobody knows; otherwise with nothing, and the effect will never
   * happen.
   */
  abandon(call: ToolCall, code: CommonCode): Promise<ToolOutcome | undefined>
  /** Keeps a result that the model sees as a receipt, for `recall_tool_result`. */
  keepResult(toolCallId: ToolCallId, text: string): Promise<{ sha256: string; sizeBytes: number }>
  /**
   * What is left of a run's effects when it ends: a file changed and changed back is none, and one changed twice counts
   * the difference. Without it, or where it cannot be known, each effect counts.
   */
  netEffects?(effects: readonly Effect[]): Promise<readonly Effect[]>
  /** Brings what the run needs before its first step; the rows tell the person what is missing. */
  prepare?(): Promise<readonly JournalLine[]>
  /** What the prompt is made of; asked once a run, and again after a summary. */
  promptInput(): Promise<PromptInput>
  /** What the folders tell that files were read from; the same array while there is nothing new. */
  folderRules?(): Promise<readonly HouseRules[]> | readonly HouseRules[]
  /** The active files as they are now; the same object while nothing changed. */
  activeFiles(): Promise<PromptFiles> | PromptFiles
  /** The bytes of an image that a tool result names. */
  image(sha256: string): Promise<Uint8Array | undefined>
  /** Text as it comes; it is not kept. */
  emitDelta(turnId: TurnId, text: string): void
  /** What the model thinks, as it comes. */
  emitThought?(turnId: TurnId, text: string): void
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after the time, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  sha256(text: string): string
  /** Reports a bug once, with its cause; users do not see it. */
  report(cause: unknown): void
  /** From 0 to 1, for the jitter of back-off. */
  random(): number
}

export interface AppendedRows {
  readonly rows: readonly LogRow[]
  /** Settles when the rows cannot be lost any more; rejects when the lease is lost or the disk refuses. */
  readonly durable: Promise<void>
}

/** Answers of clients and people, kept until the loop has appended them. */
export interface Inbox {
  /** What waits, oldest first; it stays until an `append` consumes it. */
  read(): Promise<readonly Arrival[]>
  /** Calls the listener when something arrives. Returns how to stop listening. */
  onArrival(listener: (what: 'cancel' | 'other') => void): () => void
}

export interface Arrival {
  readonly id: string
  /** A steer, cancel or decision line … */
  readonly line?: JournalLine
  /** … or the rows of what is no call of a run … */
  readonly lines?: readonly JournalLine[]
  /** … or the outcome of a call that was pending. */
  readonly outcome?: { readonly toolCallId: ToolCallId; readonly outcome: ToolOutcome }
}

export interface OfferedTool extends ToolOffer {
  readonly guidance: string
  /** True when it changes nothing: such calls of one turn run in parallel. */
  readonly readOnly: boolean
  /** What a person reads while it runs. */
  label(args: unknown): string
  readonly aliases?: readonly string[]
  /** A run of its own answers it. */
  readonly delegates?: true
}

export interface ToolCall {
  readonly id: ToolCallId
  readonly turnId: TurnId
  readonly name: string
  /** The JSON text of an object. */
  readonly arguments: string
  /** The model wrote it as text: what it writes to the workspace, a person decides, whatever rules allow. */
  readonly written?: true
}

export type Reconciled =
  | { readonly type: 'result'; readonly outcome: ToolOutcome }
  /** Nobody has begun it: it may be run under the same id. */
  | { readonly type: 'unknown' }
  /** A person said yes, and it has not begun: it may run once, after a row that says so. */
  | { readonly type: 'allowed' }
  /** It still waits for a person. */
  | { readonly type: 'pending'; readonly pending: Pending }
