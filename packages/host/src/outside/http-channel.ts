import { createEventReader } from '@filewright/loop'
import { LIMITS } from '@filewright/protocol'
import type { ChannelListener, OutsideChannel } from './channel.ts'
import { readMessage } from './read-message.ts'

interface Asked {
  readonly id?: unknown
  readonly method?: unknown
}

export interface AddressStart {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A server behind an address (streamable HTTP). Each message is a POST; its answer is one message, or a stream of them. It
 * is never followed to another address, which would get the headers too.
 */
export function openAddress({ url, headers }: AddressStart): OutsideChannel {
  const over = new AbortController()
  let listener: ChannelListener | undefined
  let session: string | undefined
  let version: string | undefined

  const headersOf = (): Record<string, string> => ({
    ...headers,
    ...(session && { 'mcp-session-id': session }),
    ...(version && { 'mcp-protocol-version': version }),
  })

  function end(why: string): void {
    if (over.signal.aborted) return
    over.abort()
    listener?.onEnd(why)
  }

  /** Gives the id of the request that it answers, if it answers one. */
  function take(text: string): unknown {
    if (over.signal.aborted) return undefined
    const { message, excess } = readMessage(text)
    if (excess) return void end(`sent a message that goes beyond all bounds: ${excess}`)
    if (message === undefined) return void listener?.onNoise(text.length)
    version ??= versionIn(message)
    listener?.onMessage(message, text.length)
    const { id, method } = Object(message) as Asked
    return method === undefined ? id : undefined
  }

  async function send(message: object, signal?: AbortSignal): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      credentials: 'omit',
      headers: {
        ...headersOf(),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(message),
      signal: AbortSignal.any([over.signal, ...(signal ? [signal] : [])]),
    }).catch((error: Error) => {
      throw new Error(reasonOf(error))
    })
    session ??= response.headers.get('mcp-session-id') ?? undefined
    const { id, method } = message as Asked
    if (response.ok && id !== undefined && method !== undefined) return read(response, id)
    await response.body?.cancel() // only a request has an answer
    if (response.ok) return
    throw new Error(`it answers with ${response.status}`)
  }

  /** Up to the answer: a server may keep its stream open after it. */
  async function read(response: Response, id: unknown): Promise<void> {
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
    const events = createEventReader()
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of response.body ?? []) {
      if (over.signal.aborted) return
      const more = decoder.decode(piece as Uint8Array, { stream: true })
      const told = isStream ? events.push(more) : []
      if (!isStream) text += more
      else if (told.length === 0) listener?.onNoise(more.length)
      if (told.filter(event => take(event) === id).length > 0) return
      if (events.waiting + text.length > LIMITS.outsideMessageBytes)
        return end(`sent a message of more than ${LIMITS.outsideMessageBytes / 1024 ** 2} MB`)
    }
    const left = isStream ? events.end() : text.trim() === '' ? [] : [text]
    if (left.filter(last => take(last) === id).length === 0)
      throw new Error('what came back is no answer of an MCP server')
  }

  return {
    listen(given) {
      listener = given
    },
    send,
    async close() {
      const headers = headersOf()
      const isBegun = session !== undefined && !over.signal.aborted
      end('was closed')
      if (!isBegun) return
      const signal = AbortSignal.timeout(CLOSE_MS)
      const asked = fetch(url, { method: 'DELETE', redirect: 'error', headers, signal })
      await asked.then(leave, () => {}) // it may know no sessions, or be gone
    },
  }
}

const CLOSE_MS = 1_000

async function leave(response: Response): Promise<void> {
  await response.body?.cancel()
}

/** The version that the server answers `initialize` with. */
function versionIn(message: unknown): string | undefined {
  const { result } = Object(message) as { result?: { protocolVersion?: unknown } }
  const version = result?.protocolVersion
  return typeof version === 'string' && /^[\w.-]{1,40}$/.test(version) ? version : undefined
}

/** Without the address, which may hold a key. */
function reasonOf(error: Error): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'it was told to stop'
  const { code, message = '' } = Object(error.cause) as { code?: string; message?: string }
  if (/redirect/i.test(message)) return 'it points to another address'
  return code ? `no connection (${code})` : 'no connection'
}
