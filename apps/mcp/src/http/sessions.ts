import { randomUUID } from 'node:crypto'
import { LIMITS } from '@filewright/protocol'
import type {
  McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Sdk } from '../protocol/sdk.ts'

/** The sessions that clients of 2025 open over HTTP: in one, a host can be asked in the middle of a call. */
export interface HttpSessions {
  /** Undefined where the request belongs to no session and opens none. */
  answer(request: Request): Promise<Response | undefined>
  close(): Promise<void>
}

const MOST_SESSIONS = 64 // a client that went away says nothing; the one that is idle longest makes room
const MODERN = '2026-07-28'
const NO_SESSION = -32001
const TOO_LARGE = -32600

export function createSessions(sdk: Sdk, factory: McpServerFactory): HttpSessions {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>()

  async function begin(request: Request): Promise<Response> {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: LIMITS.requestBodyBytes,
      onsessioninitialized: id => {
        makeRoom()
        open.set(id, transport)
      },
    })
    const server = await factory({ era: 'legacy', requestInfo: request })
    await server.connect(transport)
    const { onclose } = transport
    transport.onclose = () => {
      if (transport.sessionId) open.delete(transport.sessionId)
      onclose?.()
    }
    const response = await transport.handleRequest(request)
    if (!transport.sessionId) await transport.close()
    return response
  }

  function makeRoom(): void {
    if (open.size < MOST_SESSIONS) return
    const [idle] = open.values()
    void idle?.close()
  }

  return {
    async answer(request) {
      const id = request.headers.get('mcp-session-id')
      if (id === null) return opensSession(request).then(opens => opens?.(begin))
      const transport = open.get(id)
      if (!transport)
        return refuse(404, NO_SESSION, 'There is no such session. Open a new one with initialize.')
      open.delete(id)
      open.set(id, transport) // as the one that was used last
      return transport.handleRequest(request)
    },
    async close() {
      await Promise.all([...open.values()].map(transport => transport.close()))
    },
  }
}

type Opening = (begin: (request: Request) => Promise<Response>) => Promise<Response>

/** Looks into the body of a request that may be `initialize`; all others are left as they are. */
async function opensSession(request: Request): Promise<Opening | undefined> {
  const { method, headers } = request
  if (method !== 'POST' || headers.get('mcp-protocol-version') === MODERN) return undefined
  const text = await readBounded(request.clone())
  if (text === undefined)
    return async () =>
      refuse(413, TOO_LARGE, `A request may have ${LIMITS.requestBodyBytes} bytes.`)
  return isInitialize(text) ? begin => begin(request) : undefined
}

async function readBounded({ body }: Request): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > LIMITS.requestBodyBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function isInitialize(text: string): boolean {
  try {
    const { method, params } = Object(JSON.parse(text)) as {
      readonly method?: unknown
      readonly params?: { readonly protocolVersion?: unknown }
    }
    return method === 'initialize' && params?.protocolVersion !== MODERN
  } catch {
    return false // answered as what it is by the handler without sessions
  }
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
