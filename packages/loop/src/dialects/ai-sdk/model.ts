import type {
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { Usage } from '@filewright/protocol'
import type {
  FinishReason,
  Model,
  ModelEvent,
  ModelFacts,
  ModelFailure,
  ModelRequest,
} from '../../port/model.ts'
import { withoutCredentials } from '../../wire/endpoint-url.ts'
import { toFailure } from '../../wire/refusals.ts'
import { keyHider } from '../../wire/shown-text.ts'
import {
  ANSWER_CHARS,
  MAX_CALLS,
  toAborted,
  toCut,
  toEndless,
  toLate,
  toMalformed,
  toSilent,
  toUnreachable,
} from '../../wire/stream-failures.ts'
import { MODEL_TIMEOUTS, type ModelTimeouts } from '../../wire/timeouts.ts'
import { Endless, PageInstead } from './fetch-here.ts'
import { createPartReader } from './parts.ts'
import { toPrompt, toTools } from './prompt.ts'

export interface SdkModelOptions {
  readonly name: string
  readonly facts: ModelFacts
  readonly endpoint: URL
  readonly apiKey: string
  /** The most that an answer may take; the provider's own limit when absent. */
  readonly outputTokens?: number
  /** Loads the provider's package with the first request, because loading is slow. */
  load(): Promise<LanguageModelV3>
  /** Go with this request. */
  providerOptions?(
    request: Pick<ModelRequest, 'effort' | 'cacheKey'>,
  ): SharedV3ProviderOptions | undefined
  /** Mark the system prompt and the last message, for a prefix cache. */
  readonly promptOptions?: SharedV3ProviderOptions
  readonly timeouts?: Partial<ModelTimeouts>
}

/** A provider package's model behind our port: we own the loop, it owns the wire. */
export function createSdkModel(options: SdkModelOptions): Model {
  const timeouts = { ...MODEL_TIMEOUTS, ...options.timeouts }
  const hideKey = keyHider(options.apiKey)
  let loading: Promise<LanguageModelV3> | undefined

  /** A request whose output has no room in the context is sent again with less of it; refusing it cost nothing. */
  const stream: Model['stream'] = async function* (request) {
    for await (const event of send(request, options.outputTokens)) {
      const room = event.type === 'failure' ? event.failure.outputRoom : undefined
      if (room !== undefined) yield* send(request, room)
      else yield event
    }
  }

  async function* send(
    request: ModelRequest,
    maxOutputTokens: number | undefined,
  ): AsyncGenerator<ModelEvent> {
    const watch = createWatch(request.signal, timeouts, options.name)
    const { name } = options
    const providerOptions = options.providerOptions?.(request)
    const parts = createPartReader()
    try {
      loading ??= options.load()
      const model = await loading
      const answer = await model.doStream({
        prompt: toPrompt(request, options.promptOptions),
        tools: toTools(request.tools),
        abortSignal: watch.signal,
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(providerOptions && { providerOptions }),
      })
      for await (const part of answer.stream) {
        watch.heard()
        if (part.type === 'error') {
          yield {
            type: 'failure',
            failure: watch.broken ?? { ...toBroken(part.error, name, hideKey), spent: true },
          }
          return
        }
        if (part.type === 'finish') {
          yield* toEnd(part, parts.provider(), name)
          return
        }
        yield* parts.push(part)
        if (parts.taken <= ANSWER_CHARS && parts.calls <= MAX_CALLS) continue
        yield { type: 'failure', failure: toEndless(name) }
        return
      }
      yield { type: 'failure', failure: watch.broken ?? toCut(name) }
    } catch (cause) {
      yield { type: 'failure', failure: watch.broken ?? toBroken(cause, name, hideKey) }
    } finally {
      watch.stop()
    }
  }

  return {
    name: options.name,
    facts: options.facts,
    destination: options.endpoint.host,
    endpoint: () => withoutCredentials(options.endpoint, options.apiKey),
    stream,
  }
}

function* toEnd(
  part: Extract<LanguageModelV3StreamPart, { type: 'finish' }>,
  provider: unknown,
  model: string,
): Generator<ModelEvent> {
  const usage = toUsage(part.usage)
  if (usage) yield { type: 'usage', usage }
  const reason = toReason(part.finishReason)
  if (reason) yield { type: 'finish', reason, provider }
  else yield { type: 'failure', failure: toCut(model) }
}

/** Undefined when the provider gave no reason: the packages close a cut stream as if it had ended. */
function toReason({ unified, raw }: LanguageModelV3FinishReason): FinishReason | undefined {
  if (unified === 'content-filter') return 'refused'
  if (unified === 'error' || (unified === 'other' && raw === undefined)) return undefined
  return unified
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined
  const cachedTokens = amountOf(inputTokens.cacheRead)
  return {
    inputTokens: amountOf(inputTokens.total),
    outputTokens: amountOf(outputTokens.total),
    ...(cachedTokens > 0 && { cachedTokens }),
  }
}

/** A negative amount would refund the budget. */
function amountOf(tokens: number | undefined): number {
  return Math.max(0, tokens || 0)
}

interface ProviderError {
  readonly statusCode?: number
  readonly responseBody?: string
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly cause?: unknown
  readonly message?: string
}

function toBroken(cause: unknown, model: string, hideKey: (text: string) => string): ModelFailure {
  if (causeOf(cause, PageInstead)) return toMalformed('<', model, false)
  if (causeOf(cause, Endless)) return toEndless(model)
  const error = (typeof cause === 'object' && cause !== null ? cause : {}) as ProviderError
  if (
    error.statusCode === undefined &&
    typeof cause === 'object' &&
    cause !== null &&
    !(cause instanceof Error)
  )
    return toFailure({ status: 500, body: hideKey(JSON.stringify(cause)) }, model, Date.now())
  if (error.statusCode === undefined) return toUnreachable(error.cause ?? cause, model)
  const body = hideKey(error.responseBody || JSON.stringify({ error: error.message ?? '' }))
  const { 'retry-after': retryAfter, location: given } = error.responseHeaders ?? {}
  const location = given && hideKey(given)
  return toFailure({ status: error.statusCode, body, retryAfter, location }, model, Date.now())
}

/** The packages wrap what their `fetch` throws. */
function causeOf(thrown: unknown, kind: new (message: string) => Error): boolean {
  if (thrown instanceof kind) return true
  return thrown instanceof Error && causeOf(thrown.cause, kind)
}

/** Ends a request whose answer does not begin, falls silent, or is no longer wanted. */
function createWatch(wanted: AbortSignal, timeouts: ModelTimeouts, model: string) {
  const controller = new AbortController()
  let broken: ModelFailure | undefined
  const end = (failure: ModelFailure) => {
    broken ??= failure
    controller.abort()
  }
  const onAbort = () => end(toAborted())
  if (wanted.aborted) onAbort()
  wanted.addEventListener('abort', onAbort)
  let timer = setTimeout(() => end(toLate(model)), timeouts.firstByteMs)
  let hasBegun = false
  return {
    signal: controller.signal,
    get broken() {
      return broken
    },
    heard: () => {
      if (hasBegun) return timer.refresh()
      hasBegun = true
      clearTimeout(timer)
      timer = setTimeout(() => end(toSilent(model, timeouts.silenceMs)), timeouts.silenceMs)
      return timer
    },
    stop: () => {
      clearTimeout(timer)
      wanted.removeEventListener('abort', onAbort)
    },
  }
}
