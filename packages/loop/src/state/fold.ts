import {
  type ApprovalId,
  type Effect,
  isOutsideName,
  type JournalLine,
  type LineOf,
  type LogRow,
  toDocPath,
  type Usage,
} from '@filewright/protocol'
import { estimateTokens, IMAGE_TOKENS } from '../port/tokens.ts'
import { guardAfter, guardAfterSynthetic, NEW_GUARD } from './loop-guard.ts'
import {
  type CallProgress,
  type ContextSize,
  type LoopState,
  NEW_STATE,
  type RunState,
  tokensInUse,
} from './loop-state.ts'
import { endsPause } from './pause.ts'

/** The state after one more row. Pure: the same rows give the same state, in one piece or one by one. */
export function fold(state: LoopState, row: LogRow): LoopState {
  const { sessionId, conversationId, seq } = row
  const next = foldLine(state, row)
  const samePlace = state.place?.conversationId === conversationId
  const time = Date.parse(row.time)
  return {
    ...next,
    seq,
    time,
    place: samePlace ? state.place : { sessionId, conversationId },
    paused: next.paused && !endsPause(state, row.body),
    run: withTime(state, next.run, time),
  }
}

/** The time between two rows of a run is its own, unless a person was waited for. */
function withTime({ run, paused, time }: LoopState, next: RunState | null, now: number) {
  if (!next || run?.runId !== next.runId || paused || now <= time) return next
  return { ...next, spentMs: next.spentMs + now - time }
}

function foldLine(state: LoopState, row: LogRow): LoopState {
  const { body } = row
  switch (body.type) {
    case 'conversation-start':
      return { ...NEW_STATE, context: { ...NEW_STATE.context, ...modelOf(state.context) } }
    case 'run-start':
      return startRun(state, body)
    case 'model':
      return foldModel(state, body)
    case 'user_message':
      return { ...withWords(state, body), answerIsDue: true, cancelled: false, retry: null }
    case 'steer':
      return { ...withWords(state, body), answerIsDue: true, steered: true }
    case 'context':
      return foldContext(state, body)
    case 'retry':
      return foldRetry(state, body, Date.parse(row.time))
    case 'assistant_message':
      return foldAnswer(state, body)
    case 'usage':
      return foldUsage(state, body)
    case 'call-start':
      return withCall(state, body.tool_call_id, { status: 'started' })
    case 'approval':
      return withCall(state, body.tool_call_id, {
        status: 'waiting',
        approvalId: body.approval_id,
      })
    case 'decision':
      return foldDecision(state, body)
    case 'tool_result':
      return foldResult(state, body)
    case 'cancel':
      return { ...state, cancelled: true }
    case 'compaction':
      return foldCompaction(state, body)
    case 'draft':
      return foldDraft(state, body)
    case 'run-end':
      return body.reason === 'waiting' ? { ...state, paused: true } : endRun(state)
    case 'question':
      return withCall(state, body.tool_call_id, {
        status: 'waiting',
        approvalId: body.question_id as ApprovalId,
      })
    case 'helper':
      return foldDelegated(state, body.line)
    case 'plan':
    case 'limit':
    case 'notice':
    case 'rewind': // what it hides was never folded: see `rowsInView`
      return state
  }
}

function foldContext(state: LoopState, line: LineOf<'context'>): LoopState {
  return {
    ...state,
    asking: line.turn_id,
    offered: line.tools ?? state.offered,
    inFlight: true,
    context: { ...state.context, prompt: sum(line.layers.map(layer => layer.tokens)) },
  }
}

function foldRetry(state: LoopState, line: LineOf<'retry'>, now: number): LoopState {
  const { attempt, reason, wait_ms: waitMs } = line
  return { ...state, inFlight: false, retry: { attempt, reason, until: now + waitMs, waitMs } }
}

function startRun(state: LoopState, line: LineOf<'run-start'>): LoopState {
  const run: RunState = {
    runId: line.run_id,
    model: line.model,
    toolset: line.toolset,
    limits: line.limits ?? {},
    ...(line.effort && { effort: line.effort }),
    reads: line.reads ?? [],
    turns: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    uncounted: 0,
    spentMs: 0,
    effects: [],
    hasWritten: false,
    wasRepaired: false,
    reviewed: { refused: 0, takenBack: 0 },
    outside: 0,
    delegates: 0,
  }
  const isSame = state.context.model === line.model
  const context = isSame ? state.context : { ...state.context, model: null, limit: null }
  return {
    ...state,
    run,
    context,
    answerIsDue: state.answerIsDue || line.goes_on !== undefined,
    cancelled: false,
    retry: null,
    cuts: 0,
    guard: { ...state.guard, suppressed: 0, idle: NEW_GUARD.idle }, // what ended a run does not end the next one at once
  }
}

/** The endpoint said how much the model holds, or a refused request showed it. */
function foldModel(state: LoopState, line: LineOf<'model'>): LoopState {
  const { context } = state
  const known = context.model === line.model ? context.limit : null
  const limit = line.context_tokens ?? known
  return { ...state, context: { ...context, model: line.model, limit } }
}

function modelOf({ model, limit }: ContextSize): Pick<ContextSize, 'model' | 'limit'> {
  return { model, limit }
}

function foldAnswer(state: LoopState, line: LineOf<'assistant_message'>): LoopState {
  const calls = (line.tool_calls ?? []).map(
    (call): CallProgress => ({
      id: call.id,
      name: call.function.name,
      arguments: call.function.arguments,
      status: 'asked',
      ...(line.written && { written: true }),
    }),
  )
  const asked = calls.reduce((total, call) => total + estimateTokens(call.arguments), 0)
  const grown = withText(state, line.text, asked)
  const isCut = line.finish_reason === 'length' // so the model has not said yet that it is done
  return {
    ...grown,
    run: state.run && {
      ...state.run,
      turns: state.run.turns + 1,
      wasRepaired: state.run.wasRepaired || line.repair !== undefined,
    },
    turn: {
      turnId: line.turn_id,
      calls,
      offered: state.offered,
      finish: line.finish_reason ?? 'stop',
      resultBytes: 0,
    },
    answerIsDue: calls.length > 0 || isCut || line.repair !== undefined,
    steered: false,
    asking: null,
    inFlight: false,
    retry: null,
    answers: state.answers + (line.finish_reason === 'cancelled' ? 0 : 1),
    callers: callersAfter(state, line),
    cuts: isCut ? state.cuts + 1 : 0,
    context: { ...grown.context, compacted: false },
  }
}

function callersAfter(
  { callers, context, run }: LoopState,
  { tool_calls = [], written }: LineOf<'assistant_message'>,
): readonly string[] {
  const model = context.model ?? run?.model
  if (tool_calls.length === 0 || written || model === undefined) return callers
  return callers.includes(model) ? callers : [...callers, model]
}

function foldUsage(state: LoopState, line: LineOf<'usage'>): LoopState {
  const { usage } = line
  const counted = usage.inputTokens + usage.outputTokens
  const isOfAnswer = line.turn_id === state.turn?.turnId && counted > 0
  const context: ContextSize = isOfAnswer
    ? { ...state.context, counted: { tokens: counted, history: state.context.history } }
    : state.context
  return {
    ...state,
    context,
    inFlight: line.turn_id === state.asking ? false : state.inFlight,
    run: state.run && {
      ...state.run,
      usage: addUsage(state.run.usage, usage),
      uncounted: state.run.uncounted + (usage.unknown ? tokensInUse(state.context) : 0),
    },
  }
}

/** What a helper spends, the run spends; its messages are in its own context. */
function foldDelegated(state: LoopState, line: JournalLine): LoopState {
  if (!state.run) return state
  const { run } = state
  if (line.type === 'run-start') return { ...state, run: { ...run, delegates: run.delegates + 1 } }
  if (line.type !== 'usage') return state
  const uncounted = run.uncounted + (line.usage.unknown ? UNCOUNTED_HELP : 0)
  return { ...state, run: { ...run, usage: addUsage(run.usage, line.usage), uncounted } }
}

const UNCOUNTED_HELP = 4_000 // tokens: about a prompt with a file or two, where no provider counted

function foldDecision(state: LoopState, line: LineOf<'decision'>): LoopState {
  const call = state.turn?.calls.find(one => one.approvalId === line.approval_id)
  if (call?.status !== 'waiting') return state
  return withCall(state, call.id, { status: 'decided' })
}

function foldResult(state: LoopState, line: LineOf<'tool_result'>): LoopState {
  const call = state.turn?.calls.find(one => one.id === line.tool_call_id)
  if (!state.turn || !call || call.status === 'done') return state
  const done = withCall(state, call.id, { status: 'done' })
  const hasWritten = call.written === true && (line.effects?.length ?? 0) > 0
  const grown = withEffects(withText(done, line.content, tokensSeen(line)), effects =>
    line.effects ? [...effects, ...line.effects] : effects,
  )
  return {
    ...grown,
    run: grown.run && {
      ...grown.run,
      hasWritten: grown.run.hasWritten || hasWritten,
      outside: grown.run.outside + (hasReached(call.name, line) ? 1 : 0),
    },
    turn: {
      ...grown.turn!,
      resultBytes: state.turn.resultBytes + Buffer.byteLength(line.content),
    },
    guard: isOfTheLoop(line)
      ? guardAfterSynthetic(state.guard, call.name, call.arguments)
      : guardAfter(state.guard, {
          toolCallId: call.id,
          turnId: state.turn.turnId,
          hasChanged: (line.effects?.length ?? 0) > 0,
          name: call.name,
          arguments: call.arguments,
          text: line.content,
          fullSha256: line.full?.sha256,
          code: line.success ? null : (line.error_code ?? 'INTERNAL_ERROR'),
        }),
  }
}

/** Its server answered, or nobody knows. */
function hasReached(name: string, { success, error_code }: LineOf<'tool_result'>): boolean {
  if (!isOutsideName(name)) return false
  return success || error_code === 'OUTCOME_UNKNOWN' || error_code === 'OUTSIDE_ERROR'
}

/** A call of a tool that was not offered failed like any other: repeated, it ends the run. */
function isOfTheLoop({ synthetic, error_code }: LineOf<'tool_result'>): boolean {
  return synthetic === true && error_code !== 'UNKNOWN_TOOL'
}

function foldCompaction(state: LoopState, line: LineOf<'compaction'>): LoopState {
  const { prompt, words } = state.context
  return {
    ...state,
    guard: NEW_GUARD,
    retry: null,
    compactions: state.compactions + (line.summary === undefined ? 0 : 1),
    context: {
      ...modelOf(state.context),
      prompt,
      history: line.tokens_after ?? estimateTokens(line.summary ?? ''),
      counted: null,
      words,
      compacted: true,
    },
  }
}

function endRun(state: LoopState): LoopState {
  return {
    ...state,
    run: null,
    turn: null,
    answerIsDue: false,
    steered: false,
    cancelled: false,
    paused: false,
    asking: null,
    inFlight: false,
    retry: null,
  }
}

function withText(state: LoopState, text: string, more = 0): LoopState {
  const history = state.context.history + estimateTokens(text) + more
  return { ...state, context: { ...state.context, history } }
}

function withWords(
  state: LoopState,
  { text, images }: Pick<LineOf<'user_message'>, 'text' | 'images'>,
): LoopState {
  const { context } = withText(state, text, tokensSeen({ images }))
  return { ...state, context: { ...context, words: context.words + estimateTokens(text) } }
}

function tokensSeen({ images = [] }: Pick<LineOf<'user_message'>, 'images'>): number {
  return images.length * IMAGE_TOKENS
}

function withCall(state: LoopState, id: string, change: Partial<CallProgress>): LoopState {
  if (!state.turn) return state
  const calls = state.turn.calls.map(call => (call.id === id ? { ...call, ...change } : call))
  return { ...state, turn: { ...state.turn, calls } }
}

function withEffects(
  state: LoopState,
  change: (effects: readonly Effect[]) => readonly Effect[],
): LoopState {
  return state.run ? { ...state, run: { ...state.run, effects: change(state.run.effects) } } : state
}

/** What was published is written; what was discarded, or refused, is nowhere any more. */
function foldDraft(state: LoopState, line: LineOf<'draft'>): LoopState {
  if (!state.run) return state
  const { effects, reviewed } = state.run
  const { refused, takenBack } = reviewed
  switch (line.action) {
    case 'published':
    case 'discarded':
      return {
        ...state,
        run: {
          ...state.run,
          effects: effects.flatMap(effect => effectAfter(effect, line)),
          reviewed: { refused: refused + (line.refused ?? 0), takenBack },
        },
      }
    case 'undone':
    case 'redone': {
      const files = line.action === 'undone' ? line.files : -line.files
      const left = Math.max(0, takenBack + files) // what an earlier run wrote may come back in this one
      return { ...state, run: { ...state.run, reviewed: { refused, takenBack: left } } }
    }
  }
}

function effectAfter(effect: Effect, line: LineOf<'draft'>): readonly Effect[] {
  const isOfIt = effect.draftId === undefined || effect.draftId === line.draft_id
  if (effect.where !== 'draft' || !isOfIt) return [effect]
  const isPart = line.undecided !== undefined
  if (line.action !== 'published' || !isNamedBy(line, effect)) return isPart ? [effect] : []
  const written = { ...effect, where: 'workspace' } as const
  const some = { ...written, count: 1, unit: 'files' } // how much of it is not known here
  if (isPart) return [effect, some]
  return [line.refused ? some : written]
}

/** A list that was cut names all. */
function isNamedBy({ files, paths }: LineOf<'draft'>, { docPath, from }: Effect): boolean {
  if (paths.length < files) return true
  return paths.some(path => [docPath, from].includes(toDocPath(path as never)))
}

function addUsage(total: Usage, usage: Usage): Usage {
  const hasPrice = total.cost !== undefined || usage.cost !== undefined
  return {
    inputTokens: total.inputTokens + usage.inputTokens,
    outputTokens: total.outputTokens + usage.outputTokens,
    cachedTokens: (total.cachedTokens ?? 0) + (usage.cachedTokens ?? 0),
    ...(hasPrice && { cost: (total.cost ?? 0) + (usage.cost ?? 0) }),
    unknown: total.unknown || usage.unknown || false,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
