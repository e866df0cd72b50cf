import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runStores } from '../../test/shared/run-stores.ts'

const TOKEN = 'the-token-of-this-bench-alone'
const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

export type Stores = Awaited<ReturnType<typeof runStores>>

/** A real PostgreSQL and a real S3 server, where `node scripts/ensure.mjs stores` found or fetched them. */
export async function startStores(): Promise<Stores> {
  const record = join('.filewright-cache', 'shared-stores.json')
  return runStores(JSON.parse(readFileSync(record, 'utf8')), 'test/shared/s3-server.mjs')
}

export interface Service {
  readonly database: string
  readonly origins: readonly string[]
  ask(origin: string, method: string, path: string, body?: unknown): Promise<Answer>
  put(origin: string, path: string, content: string): Promise<void>
  /** Calls `hear` with each event, and the time of its arrival, until it is stopped. */
  follow(url: string, hear: (event: Event, at: number) => void): { stop(): void }
  /** Of all instances, in ms. */
  processorMs(): number
  /** Of the first instance. */
  residentBytes(): number
  stop(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: a bench reads whatever is answered
type Answer = any
export interface Event {
  readonly type: string
  readonly row?: { readonly seq: number; readonly type: string; readonly time: string }
}

/** Instances of the built command on stores of their own. */
export async function startService(
  stores: Stores,
  { instances, modelUrl }: { readonly instances: number; readonly modelUrl: string },
): Promise<Service> {
  const database = await stores.database()
  const env = {
    ...KEYS,
    FILEWRIGHT_DATABASE: database,
    FILEWRIGHT_BLOBS: stores.bucket(),
    FILEWRIGHT_TOKEN: TOKEN,
    FILEWRIGHT_BASE_URL: modelUrl,
  }
  const started = await Promise.all(Array.from({ length: instances }, () => startInstance(env)))
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  return {
    database,
    origins: started.map(({ origin }) => origin),
    async ask(origin, method, path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(`${origin}/api${path}`, { method, headers, ...sent })
      const answer = (await response.json()) as Answer
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer
    },
    async put(origin, path, body) {
      const type = { 'content-type': 'application/octet-stream' }
      const response = await fetch(`${origin}/api${path}`, {
        method: 'PUT',
        headers: { ...headers, ...type },
        body,
      })
      if (!response.ok) throw new Error(`PUT ${path}: ${await response.text()}`)
      await response.arrayBuffer()
    },
    follow(url, hear) {
      const ending = new AbortController()
      void followOn(url, { headers, signal: ending.signal }, hear)
      return { stop: () => ending.abort() }
    },
    processorMs: () => started.reduce((sum, { child }) => sum + processorMsOf(child.pid!), 0),
    residentBytes: () => residentBytesOf(started[0]!.child.pid!),
    async stop() {
      await Promise.all(started.map(each => each.end()))
    },
  }
}

async function startInstance(env: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), 'filewright-bench-'))
  const child: ChildProcess = spawn(
    process.execPath,
    ['apps/cli/bin/filewright.cjs', 'serve', '--port', '0'],
    {
      env: { PATH: process.env.PATH, HOME: home, FILEWRIGHT_STATE: join(home, 'state'), ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 10 })
  }
  process.once('exit', () => child.kill('SIGKILL'))
  let said = ''
  for await (const text of child.stdout!) {
    said += text
    const found = /http:\/\/\S+[?]token/.exec(said)
    if (found) return { child, origin: new URL(found[0]).origin, end }
  }
  throw new Error('An instance did not start')
}

/** A stream may end, as when its workspace gets another home: the cursor says where it goes on. */
async function followOn(
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
  hear: (event: Event, at: number) => void,
) {
  let after = 0
  while (!init.signal.aborted) {
    await readEvents(`${url}?after=${after}`, init, (event, at) => {
      after = event.row?.seq ?? after
      hear(event, at)
    }).catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function readEvents(
  url: string,
  init: RequestInit,
  hear: (event: Event, at: number) => void,
) {
  const response = await fetch(url, init)
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body!) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    const events = text.split('\n\n')
    text = events.pop()!
    const at = Date.now()
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) hear(JSON.parse(data) as Event, at)
    }
  }
}

/** Linux counts in hundredths of a second. */
function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function residentBytesOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

/** A model that writes one file of the draft in each turn and then ends, after a moment of thinking. */
export async function startModel({ turns, thinkingMs }: { turns: number; thinkingMs: number }) {
  const server = createServer(async (request, response) => {
    if (!request.url?.endsWith('/chat/completions'))
      return void response.end(
        request.url?.endsWith('/models')
          ? '{"data":[{"id":"bench"}]}'
          : '{"capabilities":["completion","tools"]}',
      )
    let text = ''
    for await (const piece of request) text += piece
    const { messages } = JSON.parse(text) as { messages: { role: string }[] }
    const done = messages.filter(({ role }) => role === 'assistant').length
    await new Promise(resolve => setTimeout(resolve, thinkingMs))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (choice: object) =>
      response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`)
    send({ delta: { role: 'assistant', content: 'One more.' }, finish_reason: null })
    if (done < turns) send({ delta: { tool_calls: [writeCall(done)] }, finish_reason: null })
    send({ delta: {}, finish_reason: done < turns ? 'tool_calls' : 'stop' })
    response.end('data: [DONE]\n\n')
  }).listen(0, '127.0.0.1')
  server.keepAliveTimeout = 0
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function writeCall(turn: number) {
  const content = `${'A line of the file.\n'.repeat(100)}${turn}\n`
  const given = { path: `file-${turn}.txt`, content }
  return {
    index: 0,
    id: `call_${turn}`,
    type: 'function',
    function: { name: 'write_text_file', arguments: JSON.stringify(given) },
  }
}
