import { lookUp, type Usage } from '@filewright/protocol'
import type { FinishReason, ModelEvent, ModelFailure } from '../../port/model.ts'
import { toFailure } from '../../wire/refusals.ts'
import { messageIn } from '../../wire/shown-text.ts'
import {
  ANSWER_CHARS,
  MAX_CALLS,
  toCut,
  toEndless,
  toMalformed,
} from '../../wire/stream-failures.ts'
import type { ReturnedFields } from './encode.ts'
import { createThinkReader, type SaidPieces } from './think-tags.ts'

/** Makes events of the chunks of one answer; the last event is a `finish` or a `failure`. */
export interface ChunkReader {
  push(data: string): ModelEvent[]
  /** The response ended. */
  end(): ModelEvent[]
  readonly isDone: boolean
  /** Characters of the answer itself so far. */
  readonly taken: number
}

interface PartialCall {
  readonly id: string | undefined
  name: string
  arguments: string
  extra?: unknown
}

interface StreamChunk {
  readonly choices?: readonly {
    readonly delta?: Delta | null
    /** In an answer that came in one piece. */
    readonly message?: Delta | null
    readonly finish_reason?: string | null
  }[]
  readonly usage?: WireUsage | null
  readonly error?: unknown
  readonly object?: unknown
}

interface Delta {
  readonly content?: unknown
  /** OpenAI's "I cannot help with that", in place of content. */
  readonly refusal?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly tool_calls?: readonly CallDelta[] | null
}

interface CallDelta {
  readonly index?: number
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null
  readonly extra_content?: unknown
}

interface WireUsage {
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null
  readonly cost?: number
}

export function createChunkReader(
  model: string,
  hideKey: (text: string) => string = text => text,
): ChunkReader {
  const calls: PartialCall[] = []
  const byIndex = new Map<number, PartialCall>()
  const think = createThinkReader()
  let finish: FinishReason | 'broken' | undefined
  let usage: Usage | undefined
  let hasText = false
  let hasReasoningField = false
  let taken = 0
  let isDone = false

  const close = (events: ModelEvent[]): ModelEvent[] => {
    isDone = true
    return events
  }

  const push = (data: string): ModelEvent[] => {
    if (isDone) return []
    if (data === '[DONE]') return complete(true)
    const chunk = parseChunk(data)
    if (!chunk)
      return close([{ type: 'failure', failure: toMalformed(hideKey(data), model, true) }])
    const error = chunk.object === 'error' ? chunk : chunk.error
    if (error) return close([streamFailure(error, hideKey(data))])
    usage = readUsage(chunk.usage) ?? usage
    const [choice] = listOf(chunk.choices)
    if (!choice) return []
    finish = readFinish(choice.finish_reason) ?? finish
    const events = readDelta(choice.delta ?? numbered(choice.message))
    if (taken <= ANSWER_CHARS && calls.length <= MAX_CALLS) return events
    return close([...events, { type: 'failure', failure: toEndless(model) }])
  }

  const readDelta = (delta: Delta | null | undefined): ModelEvent[] => {
    const events: ModelEvent[] = []
    hasReasoningField ||= typeof delta?.reasoning_content === 'string'
    const thought =
      textOf(delta?.reasoning_content ?? delta?.reasoning) + thoughtsIn(delta?.content)
    const text = textOf(delta?.content) || textOf(delta?.refusal)
    events.push(...toSaid({ reasoning: thought, text: '' }), ...toSaid(think.push(text)))
    hasText ||= text !== ''
    taken += text.length + thought.length
    for (const call of listOf(delta?.tool_calls)) if (call) addToCall(call)
    return events
  }

  /** Servers differ: one index for all calls, none at all, names and ids repeated in each chunk, whole calls without ids. */
  const addToCall = (delta: CallDelta) => {
    const known =
      typeof delta.index === 'number'
        ? byIndex.get(delta.index)
        : delta.id
          ? calls.findLast(call => call.id === delta.id)
          : calls.at(-1)
    const isAnother =
      known && ((known.id && delta.id && known.id !== delta.id) || followsWhole(known, delta))
    const call = known && !isAnother ? known : beginCall(delta)
    const { name, arguments: piece } = delta.function ?? {}
    if (call.name === '' && typeof name === 'string') call.name = name.trim()
    if (typeof piece === 'string') {
      call.arguments += piece
      taken += piece.length
    } else if (piece !== null && typeof piece === 'object') call.arguments = JSON.stringify(piece)
    if (delta.extra_content !== undefined) call.extra = delta.extra_content
  }

  const beginCall = (delta: CallDelta): PartialCall => {
    const call: PartialCall = { id: delta.id ?? undefined, name: '', arguments: '' }
    calls.push(call)
    if (typeof delta.index === 'number') byIndex.set(delta.index, call)
    return call
  }

  const complete = (saidDone: boolean): ModelEvent[] => {
    const named = calls.filter(call => call.name !== '')
    // Without a finish reason, `[DONE]` is good enough for text; calls are run only after a clean finish.
    const isClean = finish !== undefined || (saidDone && hasText && named.length === 0)
    const rest = toSaid(think.end())
    const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
    if (!isClean || finish === 'broken')
      return close([...rest, ...counted, { type: 'failure', failure: toCut(model) }])
    if (calls.length > 0 && named.length === 0)
      return close([...counted, { type: 'failure', failure: toNameless(model) }])
    const isStopped = finish === 'length' || finish === 'refused'
    const reason = named.length > 0 && !isStopped ? 'tool-calls' : (finish ?? 'other')
    const provider = returnedWith(named, hasReasoningField)
    return close([
      ...rest,
      ...named.map(
        (call): ModelEvent => ({ type: 'tool-call', name: call.name, arguments: call.arguments }),
      ),
      ...counted,
      { type: 'finish', reason, ...(provider && { provider }) },
    ])
  }

  const streamFailure = (error: unknown, data: string): ModelEvent => {
    const code = Number((error as { code?: unknown }).code)
    const isLimit = /rate.?limit|overloaded|too many requests/i.test(messageIn(data))
    const status = code >= 400 && code < 600 ? code : isLimit ? 429 : 500
    const failure = toFailure({ status, body: data }, model, Date.now())
    return { type: 'failure', failure: { ...failure, spent: true } }
  }

  return {
    push,
    end: () => (isDone ? [] : complete(false)),
    get isDone() {
      return isDone
    },
    get taken() {
      return taken
    },
  }
}

function toSaid({ reasoning, text }: SaidPieces): ModelEvent[] {
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
  ]
}

/** Undefined when nothing has to go back. */
function returnedWith(
  calls: readonly PartialCall[],
  hasReasoningField: boolean,
): ReturnedFields | undefined {
  const extras = calls.map(call => call.extra ?? null)
  const hasExtras = extras.some(extra => extra !== null)
  if (!hasExtras && !hasReasoningField) return undefined
  return {
    ...(hasExtras && { extra_content: extras }),
    ...(hasReasoningField && { reasoning_content: true }),
  }
}

/** In an answer that came in one piece, a call is identified by its place, with or without an id. */
function numbered(message: Delta | null | undefined): Delta | null | undefined {
  if (!message?.tool_calls) return message
  const tool_calls = listOf(message.tool_calls).map(
    (call, index) => call && { ...call, index: call.index ?? index },
  )
  return { ...message, tool_calls }
}

/** A named piece after complete arguments begins the next call, even where the server sent one index for both and no id. */
function followsWhole(known: PartialCall, { function: piece }: CallDelta): boolean {
  if (!piece?.name || !piece.arguments || known.arguments === '') return false
  try {
    JSON.parse(known.arguments)
    return true
  } catch {
    return false
  }
}

function toNameless(model: string): ModelFailure {
  return {
    cause: 'malformed',
    message: `${model} called a tool without naming it.`,
    retry: true,
    spent: true,
  }
}

/** What should be a list; anything else counts as an empty one. */
function listOf<Item>(value: readonly Item[] | null | undefined): readonly Item[] {
  return Array.isArray(value) ? value : []
}

function parseChunk(data: string): StreamChunk | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return value !== null && typeof value === 'object' ? (value as StreamChunk) : undefined
  } catch {
    return undefined
  }
}

/** A string, or the list of parts that some servers send. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(part => (part as { text?: unknown })?.text)
    .filter(text => typeof text === 'string')
    .join('')
}

/** Mistral sends its thinking as parts of the content. */
function thoughtsIn(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content.map(part => textOf((part as { thinking?: unknown })?.thinking)).join('')
}

/** In the words of the servers that speak this protocol, and of those that gateways translate from. */
const FINISHES: Readonly<Record<string, FinishReason | 'broken'>> = {
  stop: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'refused',
  length: 'length',
  max_length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  incomplete: 'length',
  abort: 'broken',
  error: 'broken',
  insufficient_system_resource: 'broken',
}

function readFinish(reason: unknown): FinishReason | 'broken' | undefined {
  if (!reason) return undefined
  return lookUp(FINISHES, String(reason).toLowerCase()) ?? 'other'
}

function readUsage(usage: WireUsage | null | undefined): Usage | undefined {
  if (!usage || !isAmount(usage.prompt_tokens)) return undefined
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: isAmount(usage.completion_tokens) ? usage.completion_tokens : 0,
    ...(isAmount(cachedTokens) && cachedTokens > 0 && { cachedTokens }),
    ...(isAmount(usage.cost) && { cost: usage.cost }),
  }
}

/** A negative amount would refund the budget. */
function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}
