import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
} from 'node:http'
import { Readable } from 'node:stream'
import type { Fetch } from './caller.ts'

/** Nobody answered, so nothing was done: the request can be sent to another owner. */
export class NobodyThere extends Error {}

/** Requests over a local socket, as `fetch`. */
export function socketFetch(socketPath: string): Fetch & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const send = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
    const headers = Object.fromEntries(request.headers)
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          socketPath,
          agent,
          method: request.method,
          path: url.pathname + url.search,
          headers: {
            ...headers,
            host: 'localhost',
            ...(body && { 'content-length': body.length }),
          },
        },
        answer => resolve(toResponse(answer, request.method)),
      )
      sent.on('error', error => reject(new NobodyThere(error.message, { cause: error })))
      request.signal.addEventListener('abort', () => sent.destroy())
      sent.end(body)
    })
  }
  return Object.assign(send, { close: () => agent.destroy() })
}

function toResponse(answer: IncomingMessage, method: string): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    if (typeof value === 'string') headers.set(name, value)
  const status = answer.statusCode ?? 500
  const isEmpty = method === 'HEAD' || status === 204 || status === 304
  if (isEmpty) answer.resume()
  const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}

export interface Listening {
  readonly server: Server
  readonly port: number | undefined
  close(): Promise<void>
}

/** Loaded with the first request: most commands own the state only for a moment and get none. */
async function answerer(fetch: Fetch) {
  const { getRequestListener } = await import('@hono/node-server')
  return getRequestListener(request => fetch(request), { overrideGlobalObjects: false })
}

/** Answers on a local socket, or on a port of a host. */
export function listen(
  fetch: Fetch,
  where: { path: string } | { host: string; port: number },
): Promise<Listening> {
  let answering: ReturnType<typeof answerer> | undefined
  const server = createServer(async (incoming, outgoing) => {
    answering ??= answerer(fetch)
    const answer = await answering
    await answer(incoming, outgoing)
  })
  server.requestTimeout = 0 // a call may wait for a person
  server.keepAliveTimeout = 75_000 // longer than callers keep one: a request must not meet a connection just being dropped
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      const address = server.address()
      resolve({
        server,
        port: typeof address === 'object' && address ? address.port : undefined,
        close: () =>
          new Promise(done => {
            server.close(() => done())
            server.closeIdleConnections()
            setTimeout(() => server.closeAllConnections(), 500).unref()
          }),
      })
    })
  })
}
