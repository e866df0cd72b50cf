import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { untilSays } from '../until-says.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the tool answers
export type Envelope = any

/** An owner on a port, and calls to it. */
export interface Served {
  readonly box: Sandbox
  /** In a session of its own, so that no draft holds up another. */
  call(tool: string, args: unknown, sessionId?: string): Promise<Envelope>
  ask(method: string, path: string, body?: unknown): Promise<Envelope>
  newSession(): Promise<string>
  /** Resident now, in MB. */
  memoryMB(): number
}

export const SMALL = {
  'small.txt': 'one\ntwo\nthree\n',
  'small.xlsx': readFileSync(join(import.meta.dirname, '../../sample/data/sales.xlsx')),
}

export async function serveBusy(files: Readonly<Record<string, string | Uint8Array>>) {
  const box = sandbox({ ...SMALL, ...files })
  const owner = box.start(['serve', '--port', '0'])
  onTestFinished(() => void owner.kill('SIGKILL'))
  const said = await untilSays(owner, /http:\S+/)
  const url = new URL(said)
  const headers = {
    authorization: `Bearer ${url.searchParams.get('token')}`,
    'content-type': 'application/json',
  }
  const ask: Served['ask'] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${url.origin}/api${path}`, { method, headers, ...sent })
    return answer.json()
  }
  const at = `/workspaces/${(await ask('GET', '/workspaces')).workspaces[0].workspaceId}`
  const newSession = async () => (await ask('POST', `${at}/sessions`, {})).sessionId as string
  const served: Served = {
    box,
    ask: (method, path, body) => ask(method, `${at}${path}`, body),
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
  const session = await served.newSession()
  let isOver = false
  const watched: Watched = { times: [], refused: [], peakMB: 0, stop }
  const sampling = setInterval(() => {
    watched.peakMB = Math.max(watched.peakMB, served.memoryMB())
  }, 20)
  async function work(): Promise<void> {
    for (let i = 0; !isOver; i++) {
      const [tool, args] = READS[i % READS.length]!
      const began = performance.now()
      const answer = await served.call(tool, args, session)
      watched.times.push(performance.now() - began)
      if (!answer.success) watched.refused.push(`${tool}: ${answer.message}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  const working = work()
  working.catch(() => {}) // reported by `stop`
  async function stop(): Promise<void> {
    isOver = true
    clearInterval(sampling)
    await working
  }
  return watched
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
