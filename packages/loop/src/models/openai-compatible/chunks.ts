import type { Usage } from '@filewright/protocol'
import type { FinishReason, ModelEvent } from '../../model.ts'
import { messageIn, toFailure, toMalformed } from '../failures.ts'
import { toCut } from '../stream-failures.ts'

/** Makes events of the chunks of one answer; the last event is a `finish` or a `failure`. */
export interface ChunkReader {
  push(data: string): ModelEvent[]
  /** The response ended. */
  end(): ModelEvent[]
  readonly isDone: boolean
}

interface OpenCall {
  readonly id: string | undefined
  name: string
  arguments: string
  extra?: unknown
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: Delta | null
    /** In an answer that came in one piece. */
    readonly message?: Delta | null
    readonly finish_reason?: string | null
  }[]
  readonly usage?: WireUsage | null
  readonly error?: unknown
}

interface Delta {
  readonly content?: unknown
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

export function createChunkReader(model: string): ChunkReader {
  const calls: OpenCall[] = []
  const byIndex = new Map<number, OpenCall>()
  let finish: FinishReason | undefined
  let usage: Usage | undefined
  let hasText = false
  let isDone = false

  const close = (events: ModelEvent[]): ModelEvent[] => {
    isDone = true
    return events
  }

  const push = (data: string): ModelEvent[] => {
    if (isDone) return []
    if (data === '[DONE]') return complete(true)
    const chunk = parseChunk(data)
    if (!chunk) return close([{ type: 'failure', failure: toMalformed(data, model, true) }])
    if (chunk.error) return close([streamFailure(chunk.error, data)])
    usage = readUsage(chunk.usage) ?? usage
    const [choice] = chunk.choices ?? []
    if (!choice) return []
    finish = readFinish(choice.finish_reason) ?? finish
    return readDelta(choice.delta ?? choice.message)
  }

  const readDelta = (delta: Delta | null | undefined): ModelEvent[] => {
    const events: ModelEvent[] = []
    const reasoning = delta?.reasoning_content ?? delta?.reasoning
    if (typeof reasoning === 'string' && reasoning !== '')
      events.push({ type: 'reasoning', text: reasoning })
    const text = textOf(delta?.content)
    if (text !== '') events.push({ type: 'text', text })
    hasText ||= text !== ''
    for (const call of delta?.tool_calls ?? []) addToCall(call)
    return events
  }

  /** Servers differ: one index for all calls, none at all, names and ids repeated in each chunk. */
  const addToCall = (delta: CallDelta) => {
    const known =
      delta.index === undefined ? (delta.id ? undefined : calls.at(-1)) : byIndex.get(delta.index)
    const isAnother = known?.id && delta.id && known.id !== delta.id
    const call = known && !isAnother ? known : openCall(delta)
    const { name, arguments: piece } = delta.function ?? {}
    if (call.name === '' && name) call.name = name
    if (typeof piece === 'string') call.arguments += piece
    else if (piece !== null && typeof piece === 'object') call.arguments = JSON.stringify(piece)
    if (delta.extra_content !== undefined) call.extra = delta.extra_content
  }

  const openCall = (delta: CallDelta): OpenCall => {
    const call: OpenCall = { id: delta.id ?? undefined, name: '', arguments: '' }
    calls.push(call)
    if (delta.index !== undefined) byIndex.set(delta.index, call)
    return call
  }

  const complete = (saidDone: boolean): ModelEvent[] => {
    const named = calls.filter(call => call.name !== '')
    // Without a finish reason, `[DONE]` is good enough for text; calls are run only after a clean finish.
    const isClean = finish !== undefined || (saidDone && hasText && named.length === 0)
    const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
    if (!isClean) return close([...counted, { type: 'failure', failure: toCut(model) }])
    const reason = named.length > 0 && finish !== 'length' ? 'tool-calls' : (finish ?? 'other')
    const extras = named.map(call => call.extra ?? null)
    const provider = extras.some(extra => extra !== null) ? { extra_content: extras } : undefined
    return close([
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
    const failure = toFailure({ status, body: data }, model, 0)
    return { type: 'failure', failure: { ...failure, spent: true } }
  }

  return {
    push,
    end: () => (isDone ? [] : complete(false)),
    get isDone() {
      return isDone
    },
  }
}

function parseChunk(data: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return value !== null && typeof value === 'object' ? (value as Chunk) : undefined
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

function readFinish(reason: string | null | undefined): FinishReason | undefined {
  if (!reason) return undefined
  if (reason === 'stop' || reason === 'length') return reason
  if (reason === 'tool_calls' || reason === 'function_call') return 'tool-calls'
  return reason === 'content_filter' ? 'refused' : 'other'
}

function readUsage(usage: WireUsage | null | undefined): Usage | undefined {
  if (!usage || typeof usage.prompt_tokens !== 'number') return undefined
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens ?? 0,
    ...(cachedTokens && { cachedTokens }),
    ...(typeof usage.cost === 'number' && { cost: usage.cost }),
  }
}
