import type { JournalLine, ToolCallLine, TurnId, Usage } from '@filewright/protocol'
import type {
  FinishReason,
  ModelFailure,
  ModelMessage,
  ModelRequest,
  Price,
} from '../port/model.ts'
import { limitsOf } from '../state/decide.ts'
import { tokensInUse } from '../state/loop-state.ts'
import { endRun } from './end-run.ts'
import type { LoopContext, RunOutcome } from './loop-context.ts'
import { attemptsFor, retryWait, tooLongWait } from './retry.ts'
import { describeRequest } from './sent-request.ts'

/** A complete answer: calls of a stream that did not finish cleanly are not here. */
export interface ModelAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: FinishReason
  readonly provider?: unknown
}

export interface Reply {
  readonly result: { readonly answer: ModelAnswer } | { readonly failure: ModelFailure }
  readonly usage?: Usage
}

/** Sends one request and appends what came of it: an answer, a retry, or the end of the run. */
export async function askModel(context: LoopContext): Promise<RunOutcome | undefined> {
  const { memory, port } = context
  const turnId = memory.state.asking ?? port.ids('turn')
  const request = await prepareRequest(context, turnId)
  const reply = await context.interruptible(async ({ signal }) => {
    const replying = readReply({ ...request, signal }, context, text =>
      port.emitDelta(turnId, text),
    )
    context.facts.learn()
    return asAborted(await replying, signal)
  })
  memory.lost.throwIfAborted()
  const { result } = reply
  if ('failure' in result) return recordFailure(result.failure, reply.usage, turnId, context)
  memory.append(answerLines(result.answer, reply.usage, turnId, context))
  if (!isWrittenCall(result.answer, port.tools)) return undefined
  return endRun(
    'failed',
    `${port.model.name} wrote a tool call as text: it, or its server, cannot call tools. Choose a model that can.`,
    context,
  )
}

/** A stream that we ended ourselves is not the provider's failure, whatever it looks like. */
function asAborted(reply: Reply, { aborted }: AbortSignal): Reply {
  if (!aborted || !('failure' in reply.result)) return reply
  return { ...reply, result: { failure: { ...reply.result.failure, cause: 'aborted' } } }
}

async function prepareRequest(context: LoopContext, turnId: TurnId) {
  const { memory, port, prompts, facts } = context
  const { run, context: size, answers } = memory.state
  const limits = limitsOf(run!, context.limits)
  if (limits.budgetDollars !== undefined) await facts.learned() // the price, before there is something to pay
  const prompt = await prompts.system(promptKey(context))
  const active = await prompts.active(size.limit ?? limits.unknownContextTokens)
  if (facts.facts.seesImages) await loadImages(context)
  const messages = () =>
    forEyes(memory.transcript.messages(active.text), facts.facts.seesImages === true)
  const request = { system: prompt.system, tools: port.tools, step: answers }
  const sent = describeRequest(port.model, { ...request, messages: messages() })
  memory.append([
    { type: 'context', turn_id: turnId, layers: [...prompt.layers, ...active.layers], sent },
  ])
  return { ...request, messages: messages() } // with the active files where that row placed them
}

/** A model without vision would refuse the pictures that an earlier model of the conversation saw. */
function forEyes(messages: readonly ModelMessage[], seesImages: boolean): readonly ModelMessage[] {
  if (seesImages || !messages.some(message => message.role === 'tool' && message.images))
    return messages
  return messages.map(message =>
    message.role === 'tool' ? { ...message, images: undefined } : message,
  )
}

/** The prompt is made once a run, and again after each compaction. */
export function promptKey({ memory }: LoopContext): string {
  return `${memory.state.run!.runId} ${memory.state.compactions}`
}

async function loadImages({ memory, port }: LoopContext): Promise<void> {
  for (const sha256 of memory.transcript.missingImages())
    memory.transcript.setImage(sha256, await port.image(sha256))
}

/** Reads a stream to its end. A stream that just stops is cut. */
export async function readReply(
  request: ModelRequest,
  { port, facts }: LoopContext,
  onText: (text: string) => void,
): Promise<Reply> {
  let text = ''
  let reasoning = ''
  let usage: Usage | undefined
  const calls: { name: string; arguments: string }[] = []
  for await (const event of port.model.stream(request)) {
    switch (event.type) {
      case 'text':
        text += event.text
        onText(event.text)
        break
      case 'reasoning':
        reasoning += event.text
        break
      case 'tool-call':
        calls.push({ name: event.name, arguments: event.arguments })
        break
      case 'usage':
        usage = withCost(event.usage, facts.facts.price)
        break
      case 'failure':
        return { result: { failure: event.failure }, usage }
      case 'finish': {
        const { reason: finish, provider } = event
        if (text.trim() === '' && calls.length === 0)
          return { result: { failure: finish === 'length' ? NO_ROOM : EMPTY }, usage }
        return { result: { answer: { text, reasoning, calls, finish, provider } }, usage }
      }
    }
  }
  return { result: { failure: CUT }, usage }
}

const EMPTY: ModelFailure = {
  cause: 'empty',
  message: 'The model answered with neither text nor a tool call.',
  retry: true,
  spent: true,
}

const NO_ROOM: ModelFailure = {
  ...EMPTY,
  message: 'The model reached its output limit before it said anything.',
}

const CUT: ModelFailure = {
  cause: 'cut',
  message: 'The stream of the model ended before its answer was complete.',
  retry: true,
  spent: true,
}

function answerLines(
  answer: ModelAnswer,
  usage: Usage | undefined,
  turnId: TurnId,
  { port }: LoopContext,
): JournalLine[] {
  const { text, reasoning, finish, provider } = answer
  const tool_calls = answer.calls.map(
    (call): ToolCallLine => ({
      id: port.ids('toolCall'), // a provider's may repeat
      function: { name: call.name, arguments: call.arguments },
    }),
  )
  return [
    {
      type: 'assistant_message',
      message_id: port.ids('message'),
      role: 'assistant',
      text,
      turn_id: turnId,
      ...(reasoning && { reasoning }),
      ...(tool_calls.length > 0 && { tool_calls }),
      finish_reason: finish,
      ...(provider !== undefined && { provider }),
    },
    { type: 'usage', turn_id: turnId, usage: usage ?? UNKNOWN },
  ]
}

const LARGER = 'Choose a model with a larger context, or ask for less in one message.'

const UNKNOWN: Usage = { inputTokens: 0, outputTokens: 0, unknown: true }

/** A retry, a smaller context to compact for, or the end of the run. */
async function recordFailure(
  failure: ModelFailure,
  counted: Usage | undefined,
  turnId: TurnId,
  context: LoopContext,
): Promise<RunOutcome | undefined> {
  const { memory, port } = context
  const usage = counted ?? (failure.spent ? UNKNOWN : undefined)
  if (usage) memory.append([{ type: 'usage', turn_id: turnId, usage }])
  if (failure.cause === 'aborted') return undefined
  if (failure.cause === 'context') {
    const inUse = tokensInUse(memory.state.context)
    const context_tokens = Math.min(failure.contextTokens ?? inUse, inUse)
    memory.append([{ type: 'model', model: port.model.name, context_tokens }])
    const canShrink = !memory.state.context.compacted && memory.state.answers > 0
    return canShrink
      ? undefined
      : endRun('failed', `${failure.message.replace(/\.$/, '')}. ${LARGER}`, context)
  }
  if (!failure.retry) return endRun('failed', failure.message, context)
  const tooLong = tooLongWait(failure)
  if (tooLong) return endRun('failed', `${failure.message}. ${tooLong}`, context)
  const attempt = (memory.state.retry?.attempt ?? 0) + 1
  const { modelAttempts } = limitsOf(memory.state.run!, context.limits)
  if (attempt >= attemptsFor(failure.cause, modelAttempts))
    return endRun('failed', `Gave up after ${attempt} attempts. ${failure.message}`, context)
  const wait_ms = retryWait(failure, attempt, port.random())
  memory.append([{ type: 'retry', turn_id: turnId, attempt, reason: failure.message, wait_ms }])
  return undefined
}

function withCost(usage: Usage, price: Price | undefined): Usage {
  if (usage.cost !== undefined || !price) return usage
  const cached = usage.cachedTokens ?? 0
  const cost =
    ((usage.inputTokens - cached) * price.input +
      cached * (price.cachedInput ?? price.input) +
      usage.outputTokens * price.output) /
    1e6
  return { ...usage, cost }
}

/** A model that cannot call tools often writes a call as its whole answer, in one of the forms that models are trained on. */
function isWrittenCall(
  { text, calls }: ModelAnswer,
  tools: readonly { readonly name: string }[],
): boolean {
  const said = text.trim().replace(/^```\w*\s*/, '')
  if (
    calls.length > 0 ||
    !/^(<tool_call|<function|\[TOOL_CALLS\]|\{\s*"(name|tool|function)"\s*:)/.test(said)
  )
    return false
  return tools.some(tool => said.slice(0, 400).includes(tool.name))
}
