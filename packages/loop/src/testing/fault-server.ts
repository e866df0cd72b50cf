import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of the server; the last one is given to every further request. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>

export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  readonly body: any
}

export interface FaultServer {
  readonly url: string
  /** POST requests in order. */
  readonly requests: readonly ReceivedRequest[]
  /** Connections that were opened. */
  readonly connections: number
  close(): Promise<void>
}

/** A model endpoint on loopback with scripted answers. */
export async function startFaultServer(
  replies: readonly Reply[],
  pages: Readonly<Record<string, unknown>> = {},
): Promise<FaultServer> {
  const requests: ReceivedRequest[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const path = request.url ?? ''
    if (request.method === 'GET') {
      const page = pages[path]
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(page ?? {}))
      return
    }
    const received = { path, headers: request.headers, body: JSON.parse(body) }
    requests.push(received)
    const reply = replies[Math.min(requests.length, replies.length) - 1]!
    await reply(response, received)
  })
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get connections() {
      return connections
    },
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

/** Server-sent events, each JSON or a raw string; the response stays open if `open` is set. */
export function events(
  chunks: readonly unknown[],
  { done = true, open = false }: { done?: boolean; open?: boolean } = {},
): Reply {
  return response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks)
      response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`)
    if (done) response.write('data: [DONE]\n\n')
    if (!open) response.end()
  }
}

/** The same, and then the connection breaks. */
export function cutAfter(chunks: readonly unknown[]): Reply {
  return response => {
    events(chunks, { done: false, open: true })(response, undefined as never)
    setTimeout(() => response.destroy(), 20)
  }
}

/** A byte now and then, which is not silence, but never an answer. */
export function keptAlive(code = 200): Reply {
  return response => {
    response.writeHead(code, { 'content-type': 'text/event-stream' })
    const dribble = setInterval(() => response.write(':'), 10)
    response.on('close', () => clearInterval(dribble))
  }
}

export function status(
  code: number,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return response => {
    const isText = typeof body === 'string'
    response.writeHead(code, {
      'content-type': isText ? 'text/html' : 'application/json',
      ...headers,
    })
    response.end(isText ? body : JSON.stringify(body))
  }
}

export const chunk = {
  role: { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
  text: (content: string) => ({ choices: [{ index: 0, delta: { content } }] }),
  call: (index: number | undefined, id: string | undefined, name?: string, args?: string) => ({
    choices: [
      { index: 0, delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } },
    ],
  }),
  finish: (finish_reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason }] }),
  usage: (prompt_tokens: number, completion_tokens: number) => ({
    choices: [],
    usage: { prompt_tokens, completion_tokens },
  }),
}
