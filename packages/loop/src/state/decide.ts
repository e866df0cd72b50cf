import {
  type CommonCode,
  counted,
  type OfferedName,
  quotedTool,
  similarTools,
  type ToolCallId,
} from '@filewright/protocol'
import { parseArguments } from '../port/arguments.ts'
import { filteredMessage } from '../port/content-filter.ts'
import type { LoopLimits } from '../port/loop-limits.ts'
import { IDLE_TURNS } from './idle-streak.ts'
import { SUPPRESSED_IN_A_ROW, suppression } from './loop-guard.ts'
import {
  type CallProgress,
  type LoopState,
  type RetryState,
  type RunState,
  tokensInUse,
  WORDS_SHARE,
} from './loop-state.ts'
import { nextCalls } from './next-calls.ts'

/** The next step of a session. */
export type Next =
  | { readonly type: 'call-model' }
  /** These may run now, all at once; the others of the turn wait for them. */
  | { readonly type: 'run-tools'; readonly calls: readonly CallProgress[] }
  /** The loop answers these itself; what was started of them is abandoned first. */
  | { readonly type: 'answer-calls'; readonly answers: readonly SyntheticAnswer[] }
  /** Started or decided before, perhaps by another process: ask for their outcome. */
  | { readonly type: 'reconcile'; readonly calls: readonly CallProgress[] }
  /** These wait for a person. */
  | { readonly type: 'wait'; readonly calls: readonly CallProgress[] }
  | { readonly type: 'compact' }
  | ({ readonly type: 'retry-later' } & Omit<RetryState, 'reason'>)
  | { readonly type: 'stop'; readonly reason: StopReason; readonly message?: string }
  /** No run is under way. */
  | { readonly type: 'idle' }

export type StopReason = 'final' | 'cancelled' | 'limit' | 'failed'

export interface SyntheticAnswer {
  readonly toolCallId: ToolCallId
  readonly code: Extract<
    CommonCode,
    'CANCELLED' | 'LIMIT_REACHED' | 'INVALID_ARGUMENT' | 'UNKNOWN_TOOL'
  >
  readonly message: string
  /** Which limit it was, for the log. */
  readonly limit?: 'calls' | 'repeated'
}

const CUTS_IN_A_ROW = 3 // a long answer is complete by then; a longer one is a model that repeats itself

/** Depends on its arguments alone, so any process with the log goes on in the same way. */
export function decide(state: LoopState, defaults: LoopLimits): Next {
  if (!state.run) return { type: 'idle' }
  const limits = limitsOf(state.run, defaults)
  const open = (state.turn?.calls ?? []).filter(call => call.status !== 'done')
  if (state.cancelled) return decideCancelled(open)
  if (open.length > 0) return decideCalls(state, open, limits)
  if (!state.answerIsDue) return endOf(state)
  return overLimit(state, limits) ?? decideRequest(state, limits)
}

/** The limits of the run-start row go before the defaults. */
export function limitsOf(run: RunState, defaults: LoopLimits): LoopLimits {
  return { ...defaults, ...run.limits }
}

function decideCancelled(open: readonly CallProgress[]): Next {
  if (open.length === 0) return { type: 'stop', reason: 'cancelled' }
  const message = 'The person cancelled the call before it took effect.'
  return answer(open, 'CANCELLED', message)
}

function decideCalls(state: LoopState, open: readonly CallProgress[], limits: LoopLimits): Next {
  const asked = open.filter(call => call.status === 'asked')
  const refused = asked.flatMap(call => refusal(state, call, limits) ?? [])
  if (refused.length > 0) return { type: 'answer-calls', answers: refused }
  const begun = open.filter(call => call.status === 'started' || call.status === 'decided')
  if (begun.length > 0) return { type: 'reconcile', calls: begun }
  if (state.steered && asked.length > 0)
    return answer(
      asked,
      'CANCELLED',
      'The call was not run: the person sent a message first. Read it, and call again if the call is still right.',
    )
  const calls = nextCalls(state.turn!.calls, state.run!.reads)
  if (calls.length === 0) return { type: 'wait', calls: open }
  const suppressed = calls.flatMap(call => suppressedAnswer(state, call) ?? [])
  if (suppressed.length > 0) return { type: 'answer-calls', answers: suppressed }
  return { type: 'run-tools', calls }
}

/** What ended an answer before the model did. */
const CUT_BY: Readonly<Record<string, string>> = {
  length: 'at the output limit',
  refused: "by the provider's content filter",
}

/** Of a call that can never run: nothing of it is executed. */
function refusal(
  state: LoopState,
  call: CallProgress,
  limits: LoopLimits,
): SyntheticAnswer | undefined {
  const { calls, finish, offered } = state.turn!
  const cut = CUT_BY[finish]
  if (cut)
    return {
      toolCallId: call.id,
      code: 'INVALID_ARGUMENT',
      message: `The call was not run: your answer was cut ${cut}, so the call may be incomplete. Nothing was written. Send it again in smaller pieces.`,
    }
  if (calls.indexOf(call) >= limits.toolCallsPerTurn)
    return {
      toolCallId: call.id,
      code: 'LIMIT_REACHED',
      limit: 'calls',
      message: `The call was not run: a turn runs at most ${limits.toolCallsPerTurn} tool calls, and you sent ${calls.length}. Send it again in the next turn.`,
    }
  if (offered && !isOffered(call.name, offered))
    return (
      suppressedAnswer(state, call) ?? {
        toolCallId: call.id,
        code: 'UNKNOWN_TOOL',
        message: notOffered(call.name, offered),
      }
    )
  const args = parseArguments(call.arguments)
  return args.ok
    ? undefined
    : { toolCallId: call.id, code: 'INVALID_ARGUMENT', message: args.failure.message }
}

function isOffered(called: string, offered: readonly OfferedName[]): boolean {
  return offered.some(({ name, aliases }) => name === called || aliases?.includes(called))
}

function notOffered(called: string, offered: readonly OfferedName[]): string {
  const names = offered.map(({ name }) => name)
  const similar = similarTools(called, names)
  const hint = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''
  return `Nothing was run: there is no tool ${quotedTool(called)} in this run.${hint} The tools are ${names.join(', ')}.`
}

function suppressedAnswer(state: LoopState, call: CallProgress): SyntheticAnswer | undefined {
  const message = suppression(state.guard, call.name, call.arguments)
  return message
    ? { toolCallId: call.id, code: 'LIMIT_REACHED', limit: 'repeated', message }
    : undefined
}

/** The model stopped by itself, unless its provider stopped it. */
function endOf({ turn, run }: LoopState): Next {
  if (turn?.finish === 'refused')
    return {
      type: 'stop',
      reason: 'failed',
      message: filteredMessage(run!.model),
    }
  return { type: 'stop', reason: 'final' }
}

function overLimit({ run, guard, cuts }: LoopState, limits: LoopLimits): Next | undefined {
  if (!run) return undefined
  if (cuts >= CUTS_IN_A_ROW)
    return stopAtLimit(
      `The run was stopped: ${cuts} answers in a row were cut at the output limit of ${run.model}, so the last one is incomplete.`,
    )
  if (guard.suppressed >= SUPPRESSED_IN_A_ROW)
    return stopAtLimit(
      'The run was stopped: the model only repeats calls whose results do not change.',
    )
  if (guard.idle.turns >= IDLE_TURNS)
    return stopAtLimit(
      `The run was stopped: ${guard.idle.turns} turns in a row brought nothing new${guard.idle.code ? ` (${guard.idle.code})` : ''}. What was done so far is kept.`,
    )
  const { usage, uncounted } = run
  const spent = usage.inputTokens + usage.outputTokens + uncounted
  if (run.turns >= limits.turnsPerRun)
    return stopAtLimit(
      `The run was stopped after ${counted(run.turns, 'turn')}, the limit for one run.`,
    )
  if (limits.budgetTokens !== undefined && spent >= limits.budgetTokens)
    return stopAtLimit(
      `The run was stopped at its budget of ${limits.budgetTokens} tokens: ${uncounted > 0 ? 'about ' : ''}${spent} were used.`,
    )
  if (limits.budgetMs !== undefined && run.spentMs >= limits.budgetMs)
    return stopAtLimit(
      `The run was stopped at its budget of ${limits.budgetMs / 1000} s: it took ${Math.round(run.spentMs / 1000)} s.`,
    )
  return overDollars(run, limits)
}

/** Nobody can keep to a budget without knowing the price: better a stop than a bill. */
function overDollars({ usage, turns, model }: RunState, limits: LoopLimits): Next | undefined {
  const { budgetDollars } = limits
  if (budgetDollars === undefined) return undefined
  if (usage.cost === undefined && turns === 0) return undefined
  if (usage.cost === undefined)
    return stopAtLimit(
      `The run was stopped: its budget of $${budgetDollars} cannot be enforced, because neither ${model} nor its provider reports the cost. Set a token budget instead.`,
    )
  if (usage.cost < budgetDollars) return undefined
  return stopAtLimit(
    `The run was stopped at its budget of $${budgetDollars}: $${usage.cost.toFixed(4)} was spent.`,
  )
}

function stopAtLimit(message: string): Next {
  return { type: 'stop', reason: 'limit', message }
}

function decideRequest(state: LoopState, limits: LoopLimits): Next {
  const size = state.context.limit ?? limits.unknownContextTokens
  const inUse = tokensInUse(state.context)
  if (inUse >= size * limits.compactionShare) {
    if (!state.context.compacted && canShrink(state, size)) return { type: 'compact' }
    if (inUse >= size)
      return {
        type: 'stop',
        reason: 'failed',
        message: `The context of ${state.run!.model} is too small for this task: it holds ${size} tokens, and the prompt alone takes about ${inUse}. Choose a model with a larger context.`,
      }
  }
  const { retry } = state
  if (!retry) return { type: 'call-model' }
  const { until, waitMs, attempt } = retry
  return { type: 'retry-later', until, waitMs, attempt }
}

/** Before the first answer there is only what the person said, and that is cut only when it fills the context. */
function canShrink({ answers, context }: LoopState, size: number): boolean {
  return answers > 0 || context.words >= size * WORDS_SHARE
}

function answer(
  calls: readonly CallProgress[],
  code: SyntheticAnswer['code'],
  message: string,
): Next {
  return {
    type: 'answer-calls',
    answers: calls.map(call => ({ toolCallId: call.id, code, message })),
  }
}
