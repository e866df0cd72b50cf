import type {
  ApprovalId,
  ConversationId,
  Effect,
  RunId,
  SessionId,
  ToolCallId,
  TurnId,
  Usage,
} from '@filewright/protocol'
import { type GuardState, NEW_GUARD } from './loop-guard.ts'

/** All that the next step depends on; a fold over the session's rows makes it, and nothing else. */
export interface LoopState {
  /** The seq of the last folded row. */
  readonly seq: number
  /** Null before the first row. */
  readonly place: { readonly sessionId: SessionId; readonly conversationId: ConversationId } | null
  readonly run: RunState | null
  /** The last answer of the model that asked for tools. */
  readonly turn: TurnState | null
  /** Somebody spoke, or a tool answered, after the model did. */
  readonly answerIsDue: boolean
  /** A person spoke while the calls of the turn were under way. */
  readonly steered: boolean
  readonly cancelled: boolean
  /** A person was waited for when the last process let go. */
  readonly paused: boolean
  /** The turn that the model was asked for and that has no answer yet. */
  readonly asking: TurnId | null
  /** Its request was sent, and nothing in the log says what became of it. */
  readonly inFlight: boolean
  readonly retry: RetryState | null
  /** Answers of the model in this conversation. */
  readonly answers: number
  /** The last of them, in a row, that were cut at the model's output limit. */
  readonly cuts: number
  readonly compactions: number
  readonly context: ContextSize
  readonly guard: GuardState
}

export interface RunState {
  readonly runId: RunId
  readonly model: string
  readonly toolset: string
  readonly limits: Readonly<Record<string, number>>
  readonly reads: readonly string[]
  /** A plan was asked for: nothing but what reads is run. */
  readonly plan?: boolean
  readonly turns: number
  readonly usage: Usage
  /** Tokens that no provider counted, estimated: they count for the budget. */
  readonly uncounted: number
  readonly effects: readonly Effect[]
  /** What a person did meanwhile with drafts and with what was written. */
  readonly reviewed: ReviewCounts
}

export interface ReviewCounts {
  /** Changes left out of what was published. */
  readonly refused: number
  /** Files undone, less those redone. */
  readonly takenBack: number
}

export interface TurnState {
  readonly turnId: TurnId
  readonly calls: readonly CallProgress[]
  /** Why the model stopped; after `length` its calls may be incomplete and are not run. */
  readonly finish: string
  /** What the model sees of the results so far. */
  readonly resultBytes: number
}

export interface CallProgress {
  readonly id: ToolCallId
  readonly name: string
  readonly arguments: string
  /**
   * asked → started → done, or → waiting (for a person) → decided → done. A call found started or decided is reconciled
   * by its id, because the process that started it may be gone.
   */
  readonly status: 'asked' | 'started' | 'waiting' | 'decided' | 'done'
  readonly approvalId?: ApprovalId
}

export interface RetryState {
  readonly attempt: number
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** Never longer, wherever the clock was set meanwhile. */
  readonly waitMs: number
}

/** How full the model's context is, in tokens. */
export interface ContextSize {
  /** Whose context it is; null before the first request of a run with another model. */
  readonly model: string | null
  /** What that model holds, where its endpoint says so. */
  readonly limit: number | null
  /** System prompt, tools and active files, as last sent. */
  readonly prompt: number
  /** Messages since the last compaction, estimated. */
  readonly history: number
  /** What the provider counted with the last answer, and the estimate at that time. */
  readonly counted: { readonly tokens: number; readonly history: number } | null
  /** `history` before each answer since the last compaction: where a compaction may cut. */
  readonly borders: readonly { readonly seq: number; readonly history: number }[]
  /** No answer came since the last compaction: another one would gain nothing. */
  readonly compacted: boolean
}

const NEW_CONTEXT: ContextSize = {
  model: null,
  limit: null,
  prompt: 0,
  history: 0,
  counted: null,
  borders: [],
  compacted: false,
}

export const NEW_STATE: LoopState = {
  seq: 0,
  place: null,
  run: null,
  turn: null,
  answerIsDue: false,
  steered: false,
  cancelled: false,
  paused: false,
  asking: null,
  inFlight: false,
  retry: null,
  answers: 0,
  cuts: 0,
  compactions: 0,
  context: NEW_CONTEXT,
  guard: NEW_GUARD,
}

/** What the next request would fill, in tokens. */
export function tokensInUse(context: ContextSize): number {
  const { prompt, history, counted } = context
  return Math.max(prompt + history, counted ? counted.tokens + history - counted.history : 0)
}

const SUMMARY_SHARE = 0.05 // of the context: what a compaction puts before the newest turn, beyond its share if need be
const LEAST_SHARE = 0.15 // share of the context: a turn gets this much even when the prompt nearly fills it

/**
 * How many tokens the newest turn may take, so that it fits with the prompt and a summary of everything before it. A
 * larger turn would be summarized before the model has seen it, and asked for again.
 */
export function turnRoom({ prompt }: ContextSize, size: number, compactionShare: number): number {
  return Math.max(size * LEAST_SHARE, size * (compactionShare - SUMMARY_SHARE) - prompt)
}
