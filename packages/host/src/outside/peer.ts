import { isFields, LIMITS } from '@filewright/protocol'
import type { OutsideChannel } from './channel.ts'

/** One side of JSON-RPC 2.0: we ask, and what a server asks of us is refused. */
export interface Peer {
  /** Sent once. An aborted request tells the server, and ends as lost. */
  request(method: string, params: object, signal?: AbortSignal): Promise<RpcEnd>
  notify(method: string, params?: object): void
  /** Why the server is gone; undefined while it is there. */
  readonly gone: string | undefined
  close(): Promise<void>
}

export type RpcEnd =
  | { readonly type: 'answered'; readonly result: unknown }
  | { readonly type: 'error'; readonly code: number; readonly message: string }
  | { readonly type: 'not-sent'; readonly why: string }
  | { readonly type: 'lost'; readonly why: string }

const UNASKED = 10_000 // messages that nobody asked for: progress of long calls comes in hundreds
const UNASKED_BYTES = 4 * LIMITS.outsideMessageBytes
const MOST_REPLIES = 16 // on their way at once: over HTTP each is a request of its own
const METHOD_NOT_FOUND = -32601

export function createPeer(channel: OutsideChannel): Peer {
  const waiting = new Map<number, (end: RpcEnd) => void>()
  let next = 1
  let unasked = 0
  let unaskedBytes = 0
  let replies = 0
  let gone: string | undefined

  function end(why: string): void {
    gone ??= why
    for (const settle of waiting.values()) settle({ type: 'lost', why: gone })
    waiting.clear()
  }

  function onMessage(message: unknown, bytes: number): void {
    unaskedBytes += bytes
    for (const each of Array.isArray(message) ? message : [message]) take(each)
  }

  function take(message: unknown): void {
    if (gone !== undefined || !isFields(message)) return
    const { id, method } = message
    const settle = method === undefined ? waiting.get(id as number) : undefined
    if (settle) {
      unasked = 0
      unaskedBytes = 0
      return settle(toEnd(message))
    }
    unasked++
    if (endFlood()) return
    if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number'))
      answer(id, method)
  }

  /** Whatever comes between two answers is bounded, also what is no message. */
  function endFlood(): boolean {
    if (gone !== undefined) return true
    if (unasked <= UNASKED && unaskedBytes <= UNASKED_BYTES) return false
    end('sent thousands of messages, or megabytes, that nobody asked for')
    void channel.close()
    return true
  }

  function onNoise(bytes: number): void {
    unaskedBytes += bytes
    endFlood()
  }

  /** Sampling, elicitation, folders: none of it is a server's to ask. */
  function answer(id: string | number, method: string): void {
    if (replies >= MOST_REPLIES) return
    const reply =
      method === 'ping'
        ? { jsonrpc: '2.0', id, result: {} }
        : {
            ...{ jsonrpc: '2.0', id },
            error: { code: METHOD_NOT_FOUND, message: 'Filewright offers this to no server.' },
          }
    replies++
    channel
      .send(reply)
      .catch(() => {}) // it is gone, and `onEnd` says so
      .finally(() => replies--)
  }

  channel.listen({ onMessage, onNoise, onEnd: end })

  return {
    get gone() {
      return gone
    },
    notify(method, params = {}) {
      if (gone === undefined) channel.send({ jsonrpc: '2.0', method, params }).catch(() => {}) // likewise
    },
    async request(method, params, signal) {
      if (gone !== undefined) return { type: 'not-sent', why: gone }
      const id = next++
      return new Promise<RpcEnd>(resolve => {
        function settle(ended: RpcEnd): void {
          if (!waiting.delete(id)) return
          signal?.removeEventListener('abort', stop)
          resolve(ended)
        }
        function stop(): void {
          settle({ type: 'lost', why: 'was told to stop' })
          const params = { requestId: id, reason: 'It takes too long, or nobody waits for it.' }
          channel
            .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
            .catch(() => {}) // likewise
        }
        waiting.set(id, settle)
        signal?.addEventListener('abort', stop, { once: true })
        channel.send({ jsonrpc: '2.0', id, method, params }, signal).catch((error: Error) => {
          settle({ type: 'lost', why: gone ?? `did not take the call: ${error.message}` })
        })
      })
    },
    async close() {
      end('was closed')
      await channel.close()
    },
  }
}

function toEnd({ result, error }: Readonly<Record<string, unknown>>): RpcEnd {
  if (error === undefined) return { type: 'answered', result }
  const { code, message } = Object(error) as Record<string, unknown>
  return {
    type: 'error',
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'it gave no reason',
  }
}
