import type { JournalLine, OfferedName, ToolCallLine, TurnId, Usage } from '@filewright/protocol'
import { filteredMessage } from '../port/content-filter.ts'
import type { OfferedTool } from '../port/loop-port.ts'
import type {
  FinishReason,
  ModelFailure,
  ModelMessage,
  ModelRequest,
  Price,
} from '../port/model.ts'
import type { TranscriptEntry } from '../prompt/entries.ts'
import { limitsOf } from '../state/decide.ts'
import { tokensInUse } from '../state/loop-state.ts'
import { judgeTextAnswer, type TextAnswer } from './answer-as-text.ts'
import { endRun } from './end-run.ts'
import type { LoopContext, RunOutcome } from './loop-context.ts'
import type { ModelAnswer } from './model-answer.ts'
import { retryLine, tooLongWait } from './retry.ts'
import { describeRequest } from './sent-request.ts'

export interface Reply {
  readonly result: { readonly answer: ModelAnswer } | { readonly failure: ModelFailure }
  readonly usage?: Usage
  /** The text of an answer that did not finish. */
  readonly begun?: string
}

/** Sends one request and appends the outcome: an answer, a retry, or the end of the run. */
export async function askModel(context: LoopContext): Promise<RunOutcome | undefined> {
  const { memory, port } = context
  const turnId = memory.state.asking ?? port.ids('turn')
  const request = await prepareRequest(context, turnId)
  const reply = await context.interruptible(async ({ signal }) => {
    const replying = readReply({ ...request, signal }, context, {
      onText: text => port.emitDelta(turnId, text),
      onThought: text => port.emitThought?.(turnId, text),
    })
    context.facts.learn()
    return asAborted(await replying, signal)
  })
  memory.lost.throwIfAborted()
  const { result } = reply
  if ('failure' in result && result.failure.cause === 'aborted')
    return void memory.append(cancelledLines(reply, turnId, context))
  if ('failure' in result) return recordFailure(result.failure, reply.usage, turnId, context)
  const judged = judgeTextAnswer(result.answer, { ...request, signal: NO_SIGNAL }, context)
  memory.append(answerLines(result.answer, judged, reply.usage, turnId, context))
  if (judged.type !== 'hopeless') return undefined
  return endRun(
    'failed',
    `${port.model.name} wrote a tool call as text: it, or its server, cannot call tools. Choose a model that can.`,
    context,
  )
}

const NO_SIGNAL = new AbortController().signal

/** A stream that we ended ourselves is not the provider's failure, whatever it looks like. */
export function asAborted(reply: Reply, { aborted }: AbortSignal): Reply {
  if (!aborted || !('failure' in reply.result)) return reply
  return { ...reply, result: { failure: { ...reply.result.failure, cause: 'aborted' } } }
}

async function prepareRequest(context: LoopContext, turnId: TurnId) {
  const { memory, port, prompts, facts } = context
  const { run, context: size, answers } = memory.state
  const limits = limitsOf(run!, context.limits)
  if (limits.budgetDollars !== undefined) await facts.learned() // the price, before there is something to pay
  const prompt = await prompts.gather(promptKey(context))
  const contextTokens = size.limit ?? limits.unknownContextTokens
  const active = await prompts.active(contextTokens)
  const sent = picturesOfPerson(memory.transcript.entries)
  if (sent > 0 && facts.facts.seesImages === undefined) await facts.learned()
  if (facts.facts.seesImages) await loadImages(context)
  else if (sent > 0 && !memory.state.retry)
    memory.append([{ type: 'notice', message: unseen(port.model.name, sent) }])
  const messages = () =>
    forEyes(memory.transcript.messages(active.text), facts.facts.seesImages === true)
  const { effort } = run!
  const request = {
    system: prompt.system,
    tools: port.tools,
    step: answers,
    cacheKey: memory.state.place!.conversationId,
    ...(effort && { effort }),
  }
  const late = await prompts.late(memory.transcript.lateShown, contextTokens)
  const news = late.flatMap(({ text }) => (text ? { role: 'user' as const, text } : []))
  const described = describeRequest(port.model, { ...request, messages: messages() }, news)
  const layers = [...prompt.layers, ...late, ...active.layers]
  const tools = namesOf(port.tools)
  memory.append([{ type: 'context', turn_id: turnId, layers, tools, sent: described }])
  return { ...request, messages: messages() } // with late layers and active files where that row placed them
}

/** Made once for each list. */
function namesOf(tools: readonly OfferedTool[]): readonly OfferedName[] {
  const known = offeredNames.get(tools)
  if (known) return known
  const names = tools.map(({ name, aliases }) => ({ name, ...(aliases && { aliases }) }))
  offeredNames.set(tools, names)
  return names
}

const offeredNames = new WeakMap<readonly OfferedTool[], readonly OfferedName[]>()

/** A model without vision would refuse the pictures that an earlier model of the conversation saw: it reads a note about them. */
function forEyes(messages: readonly ModelMessage[], seesImages: boolean): readonly ModelMessage[] {
  if (seesImages || !messages.some(isPictured)) return messages
  return messages.map(message => {
    if (!isPictured(message)) return message
    const told = blind.get(message) ?? withoutPictures(message)
    blind.set(message, told)
    return told
  })
}

const blind = new WeakMap<ModelMessage, ModelMessage>()

type PicturedMessage = Extract<ModelMessage, { role: 'tool' | 'user' }>

function isPictured(message: ModelMessage): message is PicturedMessage {
  return message.role !== 'assistant' && !!message.pictures
}

function withoutPictures(message: PicturedMessage): ModelMessage {
  const what = message.role === 'tool' ? 'result' : 'message'
  const text = `${message.text}\n[Filewright] ${message.pictures === 1 ? 'A picture comes' : `${message.pictures} pictures come`} with this ${what}, and you do not see pictures. Say so if the task needs one; a person can choose a model that sees.`
  return { ...message, text, images: undefined }
}

/** Those that the model has not answered yet. */
function picturesOfPerson(entries: readonly TranscriptEntry[]): number {
  const from = entries.findLastIndex(({ message }) => message.role === 'assistant') + 1
  return entries.slice(from).reduce((total, { message, words }) => {
    const isNew = message.role === 'user' && words !== undefined
    return total + (isNew ? (message.pictures ?? 0) : 0)
  }, 0)
}

function unseen(model: string, pictures: number): string {
  const [what, was] = pictures === 1 ? ['picture', 'was'] : ['pictures', 'were']
  return `The ${what} of your message ${was} not sent: ${model} is not known to see pictures. Choose a model that does.`
}

/** The prompt is gathered once a run, and again after each summary. */
export function promptKey({ memory }: LoopContext): string {
  return `${memory.state.run!.runId} ${memory.state.compactions}`
}

async function loadImages({ memory, port }: LoopContext): Promise<void> {
  for (const sha256 of memory.transcript.missingImages())
    memory.transcript.setImage(sha256, await port.image(sha256))
}

/** Hears an answer as it comes. */
interface ReplyListener {
  onText?(text: string): void
  onThought?(text: string): void
}

/** Reads a stream to its end. A stream that just stops is cut. */
export async function readReply(
  request: ModelRequest,
  { port, facts }: LoopContext,
  { onText, onThought }: ReplyListener = {},
): Promise<Reply> {
  let text = ''
  let reasoning = ''
  let usage: Usage | undefined
  const calls: { name: string; arguments: string }[] = []
  for await (const event of port.model.stream(request)) {
    switch (event.type) {
      case 'text':
        text += event.text
        onText?.(event.text)
        break
      case 'reasoning':
        reasoning += event.text
        onThought?.(event.text)
        break
      case 'tool-call':
        calls.push({ name: event.name, arguments: event.arguments })
        break
      case 'usage':
        usage = withCost(event.usage, facts.facts.price)
        break
      case 'failure':
        return { result: { failure: event.failure }, usage, begun: text }
      case 'finish': {
        const { reason: finish, provider } = event
        if (text.trim() === '' && calls.length === 0)
          return { result: { failure: emptyFailure(finish, port.model.name) }, usage }
        return { result: { answer: { text, reasoning, calls, finish, provider } }, usage }
      }
    }
  }
  return { result: { failure: CUT }, usage, begun: text }
}

function emptyFailure(finish: FinishReason, model: string): ModelFailure {
  if (finish === 'refused')
    return { cause: 'refused', message: filteredMessage(model), retry: false, spent: true }
  return finish === 'length' ? NO_ROOM : EMPTY
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
  given: ModelAnswer,
  judged: TextAnswer,
  usage: Usage | undefined,
  turnId: TurnId,
  { port }: LoopContext,
): JournalLine[] {
  const isWritten = judged.type === 'calls'
  const answer = isWritten ? judged.answer : given
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
      ...(isWritten && { written: true }),
      ...(judged.type === 'repair' && { repair: judged.note }),
      finish_reason: finish,
      ...(provider !== undefined && { provider }),
    },
    { type: 'usage', turn_id: turnId, usage: usage ?? UNKNOWN },
  ]
}

const LARGER = 'Choose a model with a larger context, or ask for less in one message.'

const UNKNOWN: Usage = { inputTokens: 0, outputTokens: 0, unknown: true }

/** A person saw the text of an answer until they cancelled it, so it stays; calls in it were not complete. */
function cancelledLines(
  { usage, begun = '', result }: Reply,
  turn_id: TurnId,
  { port }: LoopContext,
): JournalLine[] {
  const isSpent = 'failure' in result && result.failure.spent
  const spent = usage ?? (isSpent ? UNKNOWN : undefined)
  const said: JournalLine = {
    type: 'assistant_message',
    message_id: port.ids('message'),
    role: 'assistant',
    text: begun,
    turn_id,
    finish_reason: 'cancelled',
  }
  return [
    ...(begun.trim() === '' ? [] : [said]),
    ...(spent ? [{ type: 'usage' as const, turn_id, usage: spent }] : []),
  ]
}

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
  if (failure.cause === 'context') {
    const inUse = tokensInUse(memory.state.context)
    const context_tokens = Math.min(failure.contextTokens ?? inUse, inUse)
    memory.append([{ type: 'model', model: port.model.name, context_tokens }])
    const canShrink = !memory.state.context.compacted && memory.state.answers > 0
    return canShrink
      ? undefined
      : endRun('failed', `${failure.message.replace(/\.$/, '')}. ${LARGER}`, context)
  }
  const again = retryLine(failure, turnId, context)
  if (!again) return endRun('failed', lastWords(failure, context), context)
  memory.append(again)
  return undefined
}

function lastWords(failure: ModelFailure, { memory }: LoopContext): string {
  if (!failure.retry) return failure.message
  const tooLong = tooLongWait(failure)
  if (tooLong) return `${failure.message}. ${tooLong}`
  return `Gave up after ${(memory.state.retry?.attempt ?? 0) + 1} attempts. ${failure.message}`
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
