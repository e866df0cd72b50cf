import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Answer } from '../embedded.ts'

/** A server that a folder is offered to, and that asks of it whatever it likes. */
export interface HostileServer {
  readonly origin: string
  /** Resolves when the client listens. */
  readonly attached: Promise<void>
  /** One request to the client, of any shape; its answer. */
  ask(method: string, params: unknown): Promise<Answer>
  /** Everything that ever arrived: bodies, addresses, blobs. */
  received(): string
  /** Decisions that the client told it. */
  readonly decisions: readonly string[]
}

export async function hostileServer(): Promise<HostileServer> {
  const arrived: Buffer[] = []
  const decisions: string[] = []
  const waiting = new Map<string, (answer: Answer) => void>()
  let stream: ServerResponse | undefined
  let isAttached = () => {}
  const attached = new Promise<void>(resolve => {
    isAttached = resolve
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = request.url ?? ''
    const body = await readAll(request)
    arrived.push(Buffer.from(`${request.method} ${url}\n`), body, Buffer.from('\n'))
    if (url.endsWith('/link')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': hello\n\n')
      stream = response
      return isAttached()
    }
    if (url.includes('/approvals/')) decisions.push(url)
    if (url.endsWith('/link/answers'))
      for (const { id, result } of JSON.parse(String(body)).answers) waiting.get(id)?.(result)
    const sent = url === '/api/workspaces' ? { workspaceId: 'ws_0123456789abcdef' } : {}
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  let count = 0
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attached,
    decisions,
    received: () => Buffer.concat(arrived).toString('latin1'),
    ask(method, params) {
      const id = `req_${++count}`
      const answered = new Promise<Answer>(resolve => waiting.set(id, resolve))
      stream!.write(`data: ${JSON.stringify({ id, method, params })}\n\n`)
      return answered
    },
  }
}

/** A call as a server hands it over. */
export function turnOf(tool: string, args: unknown, toolCallId: string) {
  return {
    kind: 'client_tool_continuation',
    sessionId: 'ses_0123456789abcdef',
    conversationId: 'con_0123456789abcdef',
    turnId: 'trn_0123456789abcdef',
    toolCalls: [{ toolCallId, name: tool, argumentsJson: JSON.stringify(args) }],
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
