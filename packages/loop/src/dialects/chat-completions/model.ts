import type { IncomingMessage } from 'node:http'
import type { Model, ModelEvent, ModelFailure, ModelRequest } from '../../port/model.ts'
import { endpointUrl, withoutCredentials } from '../../wire/endpoint-url.ts'
import { createEventQueue } from '../../wire/event-queue.ts'
import { post } from '../../wire/http-post.ts'
import { type RefusedRequest, toFailure } from '../../wire/refusals.ts'
import { keyHider } from '../../wire/shown-text.ts'
import { toAborted, toCut, toLate, toSilent, toUnreachable } from '../../wire/stream-failures.ts'
import { MODEL_TIMEOUTS, type ModelTimeouts } from '../../wire/timeouts.ts'
import { unpack } from '../../wire/unpack.ts'
import { type AnswerReader, createAnswerReader } from './answer.ts'
import { createRequestEncoder } from './encode.ts'
import type { ChatEndpoint } from './endpoint.ts'
import { learnFacts } from './learn.ts'
import { COMMON_MANNERS, mannersAfter } from './manners.ts'

export interface ChatModelOptions extends ChatEndpoint {
  /** As a person names it; requests carry `id`. */
  readonly name: string
  readonly id: string
  /** Only where the person set it. */
  readonly outputTokens?: number
  readonly timeouts?: Partial<ModelTimeouts>
}

const ROUTE = '/chat/completions'
const DRAIN_MS = 1_000 // for a server that says [DONE] and keeps the response open
const REFUSAL_CHARS = 64 * 1024
const REFUSAL_MS = 10_000

/** Any endpoint that speaks chat completions: OpenAI's own, Ollama, LM Studio, llama.cpp, vLLM, gateways. */
export function createChatModel(options: ChatModelOptions): Model {
  let url = addressOf(options.baseUrl)
  const timeouts = { ...MODEL_TIMEOUTS, ...options.timeouts }
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'accept-encoding': 'identity', // a compressed stream arrives in lumps
    ...(options.apiKey && { authorization: `Bearer ${options.apiKey.trim()}` }),
  }
  const hideKey = keyHider(options.apiKey)
  let manners = COMMON_MANNERS
  let encoder = createRequestEncoder(options, manners)

  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { signal } = request
    try {
      const body = encoder.encode(request)
      const response = await post({ url, headers, body, signal, firstByteMs: timeouts.firstByteMs })
      if (response.statusCode === 200) {
        yield* readAnswer(
          response,
          createAnswerReader(options.name, hideKey),
          options.name,
          timeouts,
          signal,
        )
        return
      }
      const refusal = await readRefusal(response, timeouts.silenceMs, hideKey)
      const learned = mannersAfter(refusal, manners)
      if (learned) {
        manners = learned
        encoder = createRequestEncoder(options, manners)
        yield* stream(request)
        return
      }
      if (refusal.status === 404 && url.pathname === ROUTE) {
        url = addressOf(`${url.origin}/v1`)
        yield* stream(request)
        return
      }
      yield { type: 'failure', failure: toFailure(refusal, options.name, Date.now()) }
    } catch (cause) {
      yield { type: 'failure', failure: toSendFailure(cause, options.name, signal) }
    }
  }

  return {
    name: options.name,
    facts: {},
    destination: url.host,
    endpoint: () => withoutCredentials(url, options.apiKey),
    stream,
    learn: signal => learnFacts(options.id, options, signal),
  }
}

function addressOf(baseUrl: string): URL {
  const url = endpointUrl(baseUrl, ROUTE)
  if (!url) throw new Error(`"${baseUrl}" is not the address of an endpoint`)
  return url
}

/** The events of an answer as they arrive; the last one frees the connection. */
async function* readAnswer(
  response: IncomingMessage,
  answer: AnswerReader,
  model: string,
  { silenceMs, stallMs }: ModelTimeouts,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const queue = createEventQueue<ModelEvent>()
  const silence = setTimeout(() => fail(toSilent(model, silenceMs)), silenceMs)
  const stall = setTimeout(() => fail(toSilent(model, stallMs)), stallMs)

  const give = (events: readonly ModelEvent[]) => {
    queue.push(events)
    if (answer.isDone) queue.close()
  }
  const fail = (failure: ModelFailure) => {
    give(answer.fail(failure))
    response.destroy()
  }
  const onBreak = () => {
    clearTimeout(silence)
    clearTimeout(stall)
    fail(signal.aborted ? toAborted() : toCut(model))
  }

  const body = await unpack(response)
  body.setEncoding('utf8')
  body.on('data', (text: string) => {
    silence.refresh()
    const { taken } = answer
    give(answer.push(text))
    if (answer.taken > taken) stall.refresh()
  })
  body.on('end', () => give(answer.end()))
  body.on('close', onBreak)
  body.on('error', onBreak)
  try {
    yield* queue
  } finally {
    // A response read to its end returns its connection to the agent. We do not wait for one that stays open after the answer.
    if (!response.complete) setTimeout(() => response.destroy(), DRAIN_MS).unref()
  }
}

/** As much of it as arrives in time: the status alone says enough. */
async function readRefusal(
  response: IncomingMessage,
  silenceMs: number,
  hideKey: (text: string) => string,
): Promise<RefusedRequest> {
  let body = ''
  response.setEncoding('utf8')
  const late = setTimeout(() => response.destroy(), Math.min(silenceMs, REFUSAL_MS))
  try {
    for await (const text of response) {
      body += text
      if (body.length > REFUSAL_CHARS) break
    }
  } catch {
    // cut, by us or by the server
  } finally {
    clearTimeout(late)
  }
  const { 'retry-after': retryAfter, location } = response.headers
  return {
    status: response.statusCode ?? 0,
    body: hideKey(body),
    ...(retryAfter && { retryAfter }),
    ...(location && { location: hideKey(location) }),
  }
}

function toSendFailure(cause: unknown, model: string, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return toAborted()
  const isLate = (cause as { code?: unknown }).code === 'ETIMEDOUT'
  return isLate ? toLate(model) : toUnreachable(cause, model)
}
