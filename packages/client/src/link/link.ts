import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ClientMethod,
  type ClientMethods,
  fail,
  type LinkAnswer,
  type LinkEvent,
  type LinkRequest,
  lookUp,
  type Result,
  type RouteClient,
} from '@filewright/protocol'
import { toUnkept } from './unkept.ts'

export type MethodTable = {
  [Method in ClientMethod]: (
    params: ClientMethods[Method]['params'],
  ) => Promise<Result<ClientMethods[Method]['value']>>
}

export interface LinkOptions {
  readonly server: RouteClient
  readonly workspaceId: string
  readonly methods: MethodTable
  readonly onState?: (state: 'attached' | 'lost') => void
  readonly onError: (error: unknown) => void
}

/** Stays attached until closed: requests come down as events, answers go up as posts; after a break it comes back. */
export interface Link {
  /** Resolves when the server has it for the first time. */
  readonly attached: Promise<void>
  tell(events: readonly LinkEvent[]): Promise<void>
  close(): Promise<void>
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

export function openLink(options: LinkOptions): Link {
  const { server, workspaceId, onError } = options
  const params = { workspaceId }
  const answer = answerer(options.methods, onError)
  const abort = new AbortController()
  const answered = new Map<string, LinkAnswer>()
  const underWay = new Set<string>()
  const attached = withResolvers()

  let wait = FIRST_WAIT_MS
  const outbox: LinkAnswer[] = []
  let isPosting = false
  /** Answers that are ready together go up together; a post that fails is sent again after the link is back. */
  async function post() {
    if (isPosting) return
    isPosting = true
    try {
      while (outbox.length > 0) {
        const answers = outbox.splice(0)
        const response = await server
          .open('linkAnswers', { params, body: { answers } })
          .catch(error => {
            outbox.unshift(...answers)
            setTimeout(() => post().catch(onError), LONGEST_WAIT_MS).unref()
            throw error
          })
        await response.body?.cancel()
        if (!response.ok)
          throw new Error(`The server answered ${response.status} to the answers of its requests`)
      }
    } finally {
      isPosting = false
    }
  }

  async function take(request: LinkRequest) {
    const before = answered.get(request.id)
    if (before) outbox.push(before)
    else if (underWay.has(request.id)) return
    else {
      underWay.add(request.id)
      const result = await answer(request)
      underWay.delete(request.id)
      const own = { id: request.id, result }
      answered.set(request.id, own)
      if (answered.size > 200) answered.delete(answered.keys().next().value!)
      outbox.push(own)
    }
    await post()
  }

  async function listen() {
    const response = await server.listen('link', { params, signal: abort.signal })
    if (!response.ok || !response.body)
      throw new Error(`The server answered ${response.status} to the link`)
    attached.resolve()
    wait = FIRST_WAIT_MS
    options.onState?.('attached')
    if (outbox.length > 0) await post()
    for await (const data of eventData(response.body, abort.signal))
      take(JSON.parse(data) as LinkRequest).catch(onError)
  }

  async function stay() {
    while (!abort.signal.aborted) {
      try {
        await listen()
      } catch (error) {
        if (!abort.signal.aborted) onError(error)
      }
      if (abort.signal.aborted) return
      options.onState?.('lost')
      await sleep(wait, undefined, abort).catch(() => {}) // it was closed
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
  }

  const staying = stay()
  return {
    attached: attached.promise,
    async tell(events) {
      const response = await server.open('linkEvents', { params, body: { events } })
      await response.body?.cancel()
    },
    async close() {
      abort.abort()
      await staying
    },
  }
}

/** Runs what the server asks for; an exception is our bug, told to our log and answered without its cause. */
export function answerer(methods: MethodTable, onError: (error: unknown) => void) {
  return async (request: LinkRequest): Promise<Result<unknown>> => {
    try {
      const method = lookUp<(params: never) => Promise<Result<unknown>>>(methods, request.method)
      if (!method)
        return fail('UNKNOWN_TOOL', `This client does not know the request "${request.method}".`)
      return await method(request.params as never)
    } catch (error) {
      onError(error)
      return (
        toUnkept('What was asked for', error) ??
        fail('INTERNAL_ERROR', 'The client failed on an error of its own; its log has the cause.')
      )
    }
  }
}

/**
 * The `data:` of server-sent events, comments and other fields left out. The signal ends it here, at the reader: a
 * request holds its own signal weakly, so without a socket an abort may never reach the stream once it was collected.
 */
export async function* eventData(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunksOf(body, signal)) {
    text += decoder.decode(chunk, { stream: true })
    let end = text.indexOf('\n\n')
    while (end >= 0) {
      const data = text
        .slice(0, end)
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(line[5] === ' ' ? 6 : 5))
        .join('\n')
      text = text.slice(end + 2)
      if (data !== '') yield data
      end = text.indexOf('\n\n')
    }
  }
}

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {}) // a stream that broke needs no cancelling
  signal?.addEventListener('abort', cancel)
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

function withResolvers() {
  let resolve!: () => void
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
