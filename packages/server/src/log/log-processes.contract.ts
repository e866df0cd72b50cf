import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  type ConversationId,
  type LogRow,
  type SessionId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import type { SessionLog } from './log.ts'

const CHILD = fileURLToPath(new URL('../../dist/testing/append-child.js', import.meta.url))
const SESSION = 'ses_1' as SessionId
const CON = 'con_1' as ConversationId
const isFull = process.env.FILEWRIGHT_FULL === '1'

/** A log that several processes open, one after the other or at once. */
export interface LogOfProcesses {
  /** How a child finds it. */
  readonly place: string
  open(): Promise<OpenLog>
}

interface OpenLog {
  readonly log: SessionLog
  /** As a new owner does, where one process owns the state. */
  releaseDead(): Promise<void>
  close(): Promise<void>
}

export interface ProcessCounts {
  readonly kills: number
}

/** What a log keeps whatever happens to the processes that write it. `make` gives a new, empty one. */
export function processContract(
  name: string,
  make: () => Promise<LogOfProcesses>,
  { kills }: ProcessCounts,
): void {
  describe(`${name}, written by processes`, () => {
    afterEach(killChildren)

    test(`of ${kills} processes killed -9, no acknowledged row is lost and no number is missing`, async () => {
      const { place, open } = await newLog(make)
      let acknowledged = 0
      for (let kill = 0; kill < kills; kill++) {
        const child = startChild(place, ['append', 500])
        await child.acks(1)
        await sleep(Math.random() * 120) // any moment will do: nothing of what follows depends on which
        acknowledged = Math.max(acknowledged, await child.kill())

        const { log, releaseDead, close } = await open()
        const rows = await log.read(SESSION)
        expect(rows.map(row => row.seq)).toEqual(rows.map((_, i) => i + 1))
        expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
        expect(rows.map(textOf)).toEqual(rows.map((_, i) => `${i + 1}`))
        const waiting = (await log.peekInbox(SESSION)).map(item => item.body as number)
        expect(waiting.filter(n => n <= rows.length)).toEqual([]) // consumed with its row, or neither
        await releaseDead()
        await close()
      }
    })

    test('of two processes that claim one session, never both append', async () => {
      const { place, open } = await newLog(make)
      const opened = await open()
      const ttlMs = Math.ceil(Math.max(40, 10 * (await appendTime(opened.log)))) // as long as a few appends take here
      await opened.close()
      const rivals = [startChild(place, ['compete', ttlMs]), startChild(place, ['compete', ttlMs])]
      await Promise.all(rivals.map(rival => rival.acks(isFull ? 300 : 30)))
      await Promise.all(rivals.map(rival => rival.kill()))

      const { log, close } = await open()
      const rows = await log.read(SESSION)
      const epochs = rows.map(row => Number(textOf(row)))
      expect(rows.map(row => row.seq)).toEqual(rows.map((_, i) => i + 1))
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
      expect(new Set(epochs).size).toBeGreaterThan(2)
      await close()
    })

    test.skipIf(process.platform !== 'linux')(
      'a holder that was stopped is shut out when it wakes',
      async () => {
        const { place, open } = await newLog(make)
        const holder = startChild(place, ['hold', 300, 3])
        const closed = once(holder.process, 'close')
        await holder.acks(3) // then it stops itself, between two appends
        await expect.poll(() => stateOf(holder.process)).toBe('T')

        const { log, close } = await open()
        const lease = unwrap(await takeOver(log))
        unwrap(await log.append(lease, [steer('taken over')]))
        holder.process.kill('SIGCONT')
        await closed
        expect(holder.said.at(-1)).toBe('LEASE_LOST')
        expect((await log.read(SESSION)).map(textOf).at(-1)).toBe('taken over')
        await close()
      },
    )
  })
}

const children: ChildProcess[] = []

export function killChildren(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL')
}

async function newLog(make: () => Promise<LogOfProcesses>): Promise<LogOfProcesses> {
  const made = await make()
  await beginSession(made)
  return made
}

export async function beginSession({ open }: LogOfProcesses): Promise<void> {
  const { log, close } = await open()
  await createSession(log, SESSION)
  await close()
}

async function createSession(log: SessionLog, sessionId: SessionId): Promise<void> {
  const workspaceId = 'ws_1' as WorkspaceId
  unwrap(await log.createSession({ sessionId, workspaceId, conversationId: CON }))
}

export function startChild(place: string, task: (string | number)[], under: string[] = []) {
  const [command, ...args] = [
    ...under,
    process.execPath,
    CHILD,
    place,
    SESSION,
    ...task.map(String),
  ]
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const said: string[] = []
  createInterface({ input: child.stdout }).on('line', line => said.push(line))
  return {
    process: child,
    said,
    /** Waits until so many were acknowledged. */
    async acks(count: number) {
      while (said.length < count) {
        if (child.exitCode !== null) throw new Error(`The child ended with ${child.exitCode}`)
        await sleep(5)
      }
    },
    /** The last number that was acknowledged. */
    async kill(): Promise<number> {
      const closed = once(child, 'close') // its last words have arrived then
      child.kill('SIGKILL')
      await closed
      return Number(said.at(-1)?.split(' ')[1])
    },
  }
}

/** How long one append takes here, of a session of its own. */
async function appendTime(log: SessionLog): Promise<number> {
  const sessionId = 'ses_timed' as SessionId
  await createSession(log, sessionId)
  const lease = unwrap(await log.claim(sessionId, 'the test', 60_000))
  const begun = performance.now()
  for (let n = 0; n < 10; n++) unwrap(await log.append(lease, [steer('x')]))
  return (performance.now() - begun) / 10
}

/** The state that the system reports: `T` is a stopped process. */
function stateOf({ pid }: ChildProcess): string | undefined {
  return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
}

async function takeOver(log: SessionLog) {
  for (;;) {
    const claimed = await log.claim(SESSION, 'the test', 60_000)
    if (claimed.ok || claimed.failure.code !== 'LOCKED') return claimed
    await sleep(10)
  }
}

function steer(text: string) {
  return { conversationId: CON, body: { type: 'steer', text } as const }
}

function textOf(row: LogRow): string {
  return row.body.type === 'steer' ? row.body.text : ''
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
