import type {
  ApprovalId,
  ConversationId,
  Effect,
  OfferedName,
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
  /** When that row was written, in milliseconds since 1970. */
  readonly time: number
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
  /** The tools of that request, or of the last one; null in a log that does not say. */
  readonly offered: readonly OfferedName[] | null
  /** Its request was sent, and the log has no outcome. */
  readonly inFlight: boolean
  readonly retry: RetryState | null
  /** Answers of the model in this conversation. */
  readonly answers: number
  /** Models that have made a native tool call in this conversation. */
  readonly callers: readonly string[]
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
  /** How hard the model was asked to think. */
  readonly effort?: string
  readonly reads: readonly string[]
  readonly turns: number
  readonly usage: Usage
  /** Tokens that no provider counted, estimated: they count for the budget. */
  readonly uncounted: number
  /** From its first row on, without the time in which a person was waited for. */
  readonly spentMs: number
  readonly effects: readonly Effect[]
  /** Calls that the model wrote as text have changed something. */
  readonly hasWritten: boolean
  /** A message told the model how to call a tool. */
  readonly wasRepaired: boolean
  /** What a person did meanwhile with drafts and with what was written. */
  readonly reviewed: ReviewCounts
  /** Calls that reached an MCP server outside, or may have: what they changed, nobody here counts. */
  readonly outside: number
  /** How many helpers it has asked. */
  readonly delegates: number
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
  /** The tools of the request that it answers; nothing else is run. Null in a log that does not say. */
  readonly offered: readonly OfferedName[] | null
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
  /** The model wrote it as text. */
  readonly written?: true
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
  /** The person's messages of the conversation, estimated: a compaction keeps them. */
  readonly words: number
  /** No answer came since the last compaction: another one would gain nothing. */
  readonly compacted: boolean
}

const NEW_CONTEXT: ContextSize = {
  model: null,
  limit: null,
  prompt: 0,
  history: 0,
  counted: null,
  words: 0,
  compacted: false,
}

export const NEW_STATE: LoopState = {
  seq: 0,
  time: 0,
  place: null,
  run: null,
  turn: null,
  answerIsDue: false,
  steered: false,
  cancelled: false,
  paused: false,
  asking: null,
  offered: null,
  inFlight: false,
  retry: null,
  answers: 0,
  callers: [],
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

/** Share of the context that the person's messages may keep when the rest of the conversation is summarized. */
export const WORDS_SHARE = 0.5
/** Share of the context that a summary may take. */
export const SUMMARY_SHARE = 0.08
const LEAST_SHARE = 0.15 // share of the context: a turn gets this much even when the prompt nearly fills it

/**
 * How many tokens the newest turn may take, so that it fits with the prompt, the person's words and a summary of everything
 * before it. A larger turn would be summarized before the model has seen it, and asked for again.
 */
export function turnRoom(context: ContextSize, size: number, compactionShare: number): number {
  const words = Math.min(context.words, size * WORDS_SHARE)
  const room = size * (compactionShare - SUMMARY_SHARE) - context.prompt - words
  return Math.max(size * LEAST_SHARE, room)
}
