import { createHash } from 'node:crypto'
import { type Embedded, TOKEN } from '../embedded.ts'

/**
 * A client that shares no code with the product: it keeps its files in memory, knows one tool, and can delay its
 * answers, so that a test sees what the server sent and that the server did nothing else. `test/client` checks a whole
 * one against the protocol.
 */
export interface IndependentClient {
  readonly files: Map<string, Uint8Array>
  /** The server's requests, oldest first. */
  readonly requests: Request[]
  /** Delays the answers to tool calls until it is called. */
  release(): void
  close(): void
}

interface Request {
  readonly id: string
  readonly method: string
  // biome-ignore lint/suspicious/noExplicitAny: a client of another make reads JSON
  readonly params: any
}

interface Turn {
  readonly sessionId: string
  readonly conversationId: string
  readonly turnId: string
  readonly toolCalls: readonly { toolCallId: string; name: string; argumentsJson: string }[]
}

export async function attachIndependent(
  product: Embedded,
  { isHeld = false }: { isHeld?: boolean } = {},
): Promise<IndependentClient> {
  const base = `http://localhost/api/workspaces/${product.workspaceId}`
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const files = new Map<string, Uint8Array>()
  const requests: Request[] = []
  let release = () => {}
  const released = isHeld ? new Promise<void>(resolve => (release = resolve)) : Promise.resolve()

  const link = await product.server.fetch(new globalThis.Request(`${base}/link`, { headers }))
  const reader = link.body!.getReader()
  listen()

  async function listen() {
    const decoder = new TextDecoder()
    let text = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = event.split('\n').find(line => line.startsWith('data:'))
        if (data) void answer(JSON.parse(data.slice(5)))
      }
    }
  }

  async function answer(request: Request) {
    requests.push(request)
    if (request.method === 'tool-call') await released
    const answers = [{ id: request.id, result: await resultOf(request) }]
    await post('/link/answers', { answers })
  }

  async function resultOf({ method, params }: Request) {
    if (method === 'tool-call') return ok({ outcome: await runTurn(params.turn) })
    if (method === 'source') return sourceOf(params.docPath)
    return refuse('UNKNOWN_TOOL', 'invalid', `This client does not know "${method}".`)
  }

  async function runTurn(turn: Turn) {
    const [{ toolCallId, name, argumentsJson }] = turn.toolCalls as [Turn['toolCalls'][0]]
    const { sessionId, conversationId, turnId } = turn
    const { path, content, overwrite = false } = JSON.parse(argumentsJson)
    const fields =
      name === 'workspace_create_file' ? create(path, content, overwrite) : unknown(name)
    const frame = { errors: fields.success ? [] : [fields.message], warnings: [] }
    const ids = { sessionId, conversationId, turnId, toolCallId }
    return { envelope: { ...frame, ...fields, ...ids }, text: fields.message }
  }

  function create(given: string, content: string, overwrite: boolean) {
    const path = given.replaceAll('\\', '/').replace(/^(\.\/)+/, '')
    const isOutside =
      path.trim() === '' || /^\/|^[a-z]:/i.test(path) || path.split('/').includes('..')
    if (isOutside)
      return failed('InvalidPath', 'invalid', `Nothing was written: "${given}" is no path inside.`)
    const key = path.toLowerCase()
    const existed = files.has(key)
    if (existed && !overwrite)
      return failed('FileExists', 'conflict', `Nothing was written: "${path}" exists.`)
    const bytes = Buffer.from(content.replace(/\r\n?/g, '\n'))
    files.set(key, bytes)
    const written = { path, docPath: key, sizeBytes: bytes.length, hash: sha256(bytes) }
    const flags = { created: !existed, overwritten: existed }
    const message = existed ? 'File overwritten.' : 'File created.'
    return { success: true, errorCode: null, message, ...written, ...flags }
  }

  async function sourceOf(docPath: string) {
    const bytes = files.get(docPath)
    if (!bytes) return refuse('NOT_FOUND', 'missing', `There is no "${docPath}".`)
    const body = Buffer.from(bytes)
    const put = { method: 'PUT', headers, body }
    await product.server.fetch(new globalThis.Request(`${base}/blobs/${sha256(bytes)}`, put))
    return ok({ path: docPath, docPath, sha256: sha256(bytes), sizeBytes: bytes.length })
  }

  const post = (path: string, body: unknown) =>
    product.server.fetch(
      new globalThis.Request(base + path, { method: 'POST', headers, body: JSON.stringify(body) }),
    )

  return { files, requests, release: () => release(), close: () => void reader.cancel() }
}

function failed(errorCode: string, kind: string, message: string) {
  return { success: false, errorCode, kind, message }
}

function unknown(name: string) {
  return failed('UNKNOWN_TOOL', 'invalid', `This client has no tool "${name}".`)
}

function ok(value: unknown) {
  return { ok: true, value }
}

function refuse(code: string, kind: string, message: string) {
  return { ok: false, failure: { code, kind, message, errors: [message] } }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
