import {
  fail,
  type JournalLine,
  type Pending,
  type ToolOutcome,
  toEnvelope,
  toWaitingLine,
} from '@filewright/protocol'
import { parseArguments, toObjectJson } from '../port/arguments.ts'
import { type Reconciled, RunCut, type ToolCall } from '../port/loop-port.ts'
import { limitsOf, type SyntheticAnswer } from '../state/decide.ts'
import type { CallProgress } from '../state/loop-state.ts'
import { delegate, HELPER_MS } from './delegate.ts'
import type { LoopContext } from './loop-context.ts'
import { toResultLine, toSyntheticLine } from './result-line.ts'

const ENDED = 'ended' // a reason of our own saves making an exception with its stack for each call

/** How a call ended, or that it waits for a person. */
type CallEnding = Extract<Reconciled, { type: 'result' | 'pending' }> | Abandoned
interface Abandoned {
  readonly type: 'abandoned'
  readonly code: 'TIMEOUT' | 'CANCELLED'
  readonly toolTimeoutMs: number
}

export async function runCalls(
  calls: readonly CallProgress[],
  context: LoopContext,
): Promise<undefined> {
  const { memory, port } = context
  memory.append(calls.map(call => startLine(call, context)))
  // A write may be asked about after a crash, so its row comes before its effect; a read can be done again.
  const isRead = calls.every(call => isReadOnly(call, context))
  const begun = isRead ? undefined : memory.settled()
  // One after the other: the room for a result, and the guard's note on it, depend on those before.
  let recorded = Promise.resolve()
  await Promise.all(
    calls.map(async call => {
      const begin = (signal: AbortSignal) =>
        isDelegated(call, context)
          ? delegate(call, context, { signal, isResumed: false })
          : port.callTool(toToolCall(call, context), signal, begun)
      const ending = await perform(call, context, begin)
      recorded = recorded.then(() => record(call, ending, context))
      await recorded
    }),
  )
}

/** Asks for the outcome of started calls; an unknown one runs now, under its own id. */
export async function reconcileCalls(
  calls: readonly CallProgress[],
  context: LoopContext,
): Promise<undefined> {
  const { memory, port } = context
  for (const call of calls) {
    const ending = await perform(call, context, async signal => {
      if (isDelegated(call, context)) return delegate(call, context, { signal, isResumed: true })
      const found = await port.reconcile(toToolCall(call, context), signal)
      if (found.type === 'result') return found.outcome
      if (found.type === 'pending') return found.pending
      if (found.type === 'allowed') memory.append([startLine(call, context)])
      return port.callTool(toToolCall(call, context), signal, memory.settled())
    })
    await record(call, ending, context)
  }
}

export async function answerCalls(
  answers: readonly SyntheticAnswer[],
  context: LoopContext,
): Promise<undefined> {
  const { memory, port } = context
  const lines: JournalLine[] = []
  for (const { toolCallId, code, message } of answers) {
    const call = memory.state.turn!.calls.find(one => one.id === toolCallId)!
    const begun = call.status !== 'asked'
    const outcome = begun ? await port.abandon(toToolCall(call, context), code) : undefined
    if (outcome) memory.append([await toResultLine(call, outcome, context)])
    else lines.push(toSyntheticLine(toolCallId, code, message, context))
  }
  const over = answers.find(answer => answer.limit)
  if (over) lines.push({ type: 'limit', what: over.limit!, message: over.message })
  memory.append(lines)
}

/** Runs a call within its time; waiting for a person is not part of it. */
function perform(
  call: CallProgress,
  context: LoopContext,
  begin: (signal: AbortSignal) => Promise<ToolOutcome | Pending>,
): Promise<CallEnding> {
  const { port, memory } = context
  const own = limitsOf(memory.state.run!, context.limits)
  const toolTimeoutMs = isDelegated(call, context) ? HELPER_MS : own.toolTimeoutMs
  return context.interruptible(async ({ signal, cancelled, abort }) => {
    const timer = new AbortController()
    const running = begin(signal).then(toEnding, cause => toEnding(outcomeOf(call, cause, context)))
    const ending = await Promise.race([
      running,
      port.sleep(toolTimeoutMs, timer.signal).then(() => 'TIMEOUT' as const),
      cancelled.then(() => 'CANCELLED' as const),
    ])
    timer.abort(ENDED)
    if (typeof ending !== 'string') return ending
    abort()
    memory.lost.throwIfAborted()
    const outcome = await port.abandon(toToolCall(call, context), ending)
    return outcome
      ? { type: 'result', outcome }
      : { type: 'abandoned', code: ending, toolTimeoutMs }
  })
}

async function record(call: CallProgress, ending: CallEnding, context: LoopContext): Promise<void> {
  const { memory } = context
  memory.lost.throwIfAborted()
  switch (ending.type) {
    case 'result':
      memory.append([
        ...(ending.outcome.rows ?? []),
        await toResultLine(call, ending.outcome, context),
      ])
      return
    case 'pending': {
      const { pending } = ending
      memory.append([toWaitingLine(call.id, pending)])
      return
    }
    case 'abandoned':
      memory.append([
        toSyntheticLine(call.id, ending.code, abandonedMessage(call, ending), context),
      ])
  }
}

function abandonedMessage(call: CallProgress, { code, toolTimeoutMs }: Abandoned): string {
  return code === 'CANCELLED'
    ? 'The person cancelled the call before it took effect.'
    : `${call.name} took longer than ${toolTimeoutMs / 1000} s and was stopped. It has no effect, now or later. Ask for less in one call.`
}

function toEnding(outcome: ToolOutcome | Pending): CallEnding {
  return 'pending' in outcome ? { type: 'pending', pending: outcome } : { type: 'result', outcome }
}

function outcomeOf(call: CallProgress, cause: unknown, context: LoopContext): ToolOutcome {
  if (!(cause instanceof RunCut)) return toBug(call, cause, context)
  context.memory.leave(cause)
  throw cause
}

/** A port that throws has a bug. The call still ends in one result, and the loop goes on. */
function toBug(call: CallProgress, cause: unknown, { memory, port }: LoopContext): ToolOutcome {
  port.report(cause)
  const message = `${call.name} failed inside Filewright. This is not your mistake: try another way, or tell the person.`
  const place = memory.state.place!
  const ids = { ...place, turnId: memory.state.turn!.turnId, toolCallId: call.id }
  return {
    envelope: toEnvelope(fail('INTERNAL_ERROR', message), ids),
    text: `INTERNAL_ERROR: ${message}`,
  }
}

function startLine(call: CallProgress, context: LoopContext): JournalLine {
  const args = parseArguments(call.arguments)
  const tool = toolOf(call, context)
  return {
    type: 'call-start',
    tool_call_id: call.id,
    turn_id: context.memory.state.turn!.turnId,
    name: call.name,
    arguments: call.arguments,
    label: tool?.label(args.ok ? args.value : {}) ?? call.name,
  }
}

function toToolCall(call: CallProgress, { memory }: LoopContext): ToolCall {
  const args = toObjectJson(call.arguments)
  return {
    id: call.id,
    turnId: memory.state.turn!.turnId,
    name: call.name,
    arguments: args.ok ? args.value : call.arguments,
    ...(call.written && { written: true }),
  }
}

function isDelegated(call: CallProgress, context: LoopContext): boolean {
  return toolOf(call, context)?.delegates === true
}

function isReadOnly(call: CallProgress, context: LoopContext): boolean {
  return toolOf(call, context)?.readOnly === true
}

function toolOf(call: CallProgress, { port }: LoopContext) {
  return port.tools.find(tool => tool.name === call.name || tool.aliases?.includes(call.name))
}
