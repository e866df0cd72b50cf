import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { PassThrough, Readable } from 'node:stream'
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
          agent: staysOpen(url) ? false : agent,
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

/** A stream has a connection of its own: many of them keep no other request waiting for one. */
function staysOpen({ pathname }: URL): boolean {
  return /\/(events|link)$/.test(pathname)
}

function toResponse(answer: IncomingMessage, method: string): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    if (typeof value === 'string') headers.set(name, value)
  const status = answer.statusCode ?? 500
  const isEmpty = method === 'HEAD' || status === 204 || status === 304
  if (isEmpty) answer.resume()
  const isEvents = headers.get('content-type')?.startsWith('text/event-stream')
  const whole = isEvents ? untilItEnds(answer) : answer
  const body = isEmpty ? null : (Readable.toWeb(whole) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}

/** When the owner is gone its events end, and whoever follows them asks for the rest: that is no error. */
function untilItEnds(answer: IncomingMessage): Readable {
  const events = new PassThrough()
  answer.on('error', () => events.end())
  events.on('close', () => answer.destroy())
  return answer.pipe(events)
}

/** With the address of whoever opened the connection. */
export type PeerFetch = (request: Request, peer?: string) => Promise<Response>

export interface Listening {
  readonly server: Server
  readonly port: number | undefined
  close(): Promise<void>
}

/** Loaded with the first request: most commands own the state only for a moment and get none. */
async function answerer(fetch: PeerFetch) {
  const { getRequestListener } = await import('@hono/node-server')
  return getRequestListener(
    (request, { incoming }) => fetch(request, incoming.socket.remoteAddress),
    { overrideGlobalObjects: false },
  )
}

const STALLED_MS = 10_000

/** A request whose body stops arriving holds its connection no longer. */
function cutIfStalled(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.headers['content-length'] === undefined && !incoming.headers['transfer-encoding'])
    return
  const { socket } = incoming
  const cut = () => {
    const said = outgoing.headersSent
      ? ''
      : 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'
    socket.end(said, () => socket.destroy())
  }
  /** Timers come before what has arrived: after a pause of our own, it is read first. */
  const look = () => {
    const { bytesRead } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead && !incoming.complete) cut()
      else if (!incoming.complete) socket.setTimeout(STALLED_MS)
    })
  }
  incoming.setTimeout(STALLED_MS, look)
  incoming.once('end', () => socket.setTimeout(0)) // a call may then wait for a person
}

/** What one program reads as the host another may read as something else. */
function wrongHost({ rawHeaders }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && /^host$/i.test(rawHeaders[i - 1]!))
  if (hosts.length > 1) return 'A request names one host. Send the header Host once.'
  const [host] = hosts
  if (host && !/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`)) return undefined
  return 'A request names its host. Send the header Host with the name and port of this server, such as "127.0.0.1:4680".'
}

function refuse(outgoing: ServerResponse, message: string): void {
  outgoing.writeHead(400, { 'content-type': 'application/json', connection: 'close' })
  outgoing.end(
    JSON.stringify({
      success: false,
      errorCode: 'INVALID_ARGUMENT',
      kind: 'invalid',
      message,
      errors: [message],
    }),
  )
}

/** Answers on a local socket, or on a port of a host. */
export function listen(
  fetch: PeerFetch,
  where: { path: string } | { host: string; port: number },
): Promise<Listening> {
  let answering: ReturnType<typeof answerer> | undefined
  const server = createServer(
    { connectionsCheckingInterval: 1_000 },
    async (incoming, outgoing) => {
      const wrong = wrongHost(incoming)
      if (wrong) return refuse(outgoing, wrong)
      cutIfStalled(incoming, outgoing)
      answering ??= answerer(fetch)
      const answer = await answering
      await answer(incoming, outgoing)
    },
  )
  server.requestTimeout = 0 // a large upload takes its time; one that stalls is cut
  server.headersTimeout = STALLED_MS
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
