import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the tool answers
export type Envelope = any

/** An owner on a port, and calls to it. */
export interface Served {
  readonly box: Sandbox
  /** In a session of its own, so that no draft holds up another. */
  call(tool: string, args: unknown, sessionId?: string): Promise<Envelope>
  ask(method: string, path: string, body?: unknown): Promise<Envelope>
  /** The same with a body that is sent as it is. */
  send(path: string, body: string): Promise<Envelope>
  /** Where a session's calls go, for a client elsewhere. */
  addressOf(sessionId: string): { readonly address: string; readonly headers: object }
  newSession(): Promise<string>
  /** Resident now, in MB. */
  memoryMB(): number
}

export const SMALL = {
  'small.txt': 'one\ntwo\nthree\n',
  'small.xlsx': readFileSync(join(import.meta.dirname, '../../sample/data/sales.xlsx')),
}

export async function serveBusy(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: readonly string[] = [],
) {
  const box = sandbox({ ...SMALL, ...files })
  const owner = box.start(['serve', '--port', '0', ...options])
  onTestFinished(() => void owner.kill('SIGKILL'))
  const said = await untilSays(owner, PAGE_ADDRESS)
  const url = new URL(said)
  const headers = {
    authorization: `Bearer ${url.searchParams.get('token')}`,
    'content-type': 'application/json',
  }
  const send = async (method: string, path: string, body?: string) => {
    const sent = body === undefined ? {} : { body }
    const answer = await fetch(`${url.origin}/api${path}`, { method, headers, ...sent })
    return answer.json()
  }
  const ask: Served['ask'] = (method, path, body) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body))
  const at = `/workspaces/${(await ask('GET', '/workspaces')).workspaces[0].workspaceId}`
  const newSession = async () => (await ask('POST', `${at}/sessions`, {})).sessionId as string
  const served: Served = {
    box,
    ask: (method, path, body) => ask(method, `${at}${path}`, body),
    send: (path, body) => send('POST', `${at}${path}`, body),
    addressOf: sessionId => ({
      address: `${url.origin}/api${at}/sessions/${sessionId}/calls`,
      headers,
    }),
    newSession,
    async call(tool, args, sessionId) {
      const session = sessionId ?? (await newSession())
      const body = { tool, arguments: args, approve: 'all' }
      return ask('POST', `${at}/sessions/${session}/calls`, body)
    },
    memoryMB() {
      const status = readFileSync(`/proc/${owner.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    },
  }
  return served
}

export interface Watched {
  /** How long each answer took. */
  readonly times: number[]
  /** Why it got no answer: nothing that it asks is ever refused. */
  readonly refused: string[]
  peakMB: number
  stop(): Promise<void>
}

const READS = [
  ['list_files', {}],
  ['read_file', { path: 'small.txt' }],
  ['read_file', { path: 'small.xlsx' }],
] as const

/** A client that lists files and reads a small text and a small workbook, again and again, 50 ms apart. */
export async function watch(served: Served): Promise<Watched> {
  const watched: Watched = { times: [], refused: [], peakMB: 0, stop }
  const workerData = { ...served.addressOf(await served.newSession()), reads: READS }
  const asker = new Worker(new URL('asker.mjs', import.meta.url), { workerData })
  const ended = new Promise<void>((resolve, reject) => {
    asker.on('error', reject)
    asker.on('exit', () => resolve())
  })
  ended.catch(() => {}) // reported by `stop`
  asker.on('message', ({ ms, refused }: { ms: number; refused?: string }) => {
    watched.times.push(ms)
    if (refused !== undefined) watched.refused.push(refused)
  })
  const sampling = setInterval(() => {
    watched.peakMB = Math.max(watched.peakMB, served.memoryMB())
  }, 20)
  onTestFinished(async () => {
    clearInterval(sampling)
    await asker.terminate()
  })
  async function stop(): Promise<void> {
    asker.postMessage('stop')
    clearInterval(sampling)
    await ended
  }
  return watched
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
