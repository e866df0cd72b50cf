import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  type ConversationId,
  type LogRow,
  type SessionId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { afterEach, expect, test } from 'vitest'
import type { SessionLog } from '../../log/log.ts'
import { openStores } from '../../stores/stores.ts'
import { tempFolder } from '../../testing/temp-folder.ts'

const CHILD = fileURLToPath(new URL('../../../dist/testing/append-child.js', import.meta.url))
const SESSION = 'ses_1' as SessionId
const CON = 'con_1' as ConversationId
const isFull = process.env.FILEWRIGHT_FULL === '1'
const KILLS = isFull ? 200 : 6

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

test(`of ${KILLS} processes killed -9, no acknowledged row is lost and no number is missing`, async () => {
  const folder = await newState()
  let acknowledged = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(folder, ['append', 60_000])
    await child.acks(1)
    await sleep(Math.random() * 120) // any moment will do: nothing of what follows depends on which
    acknowledged = Math.max(acknowledged, await child.kill())

    const { log, releaseDead, close } = unwrap(await openStores(folder))
    const rows = await log.read(SESSION)
    expect(rows.map(row => row.seq)).toEqual(rows.map((_, i) => i + 1))
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
    expect(rows.map(textOf)).toEqual(rows.map((_, i) => `${i + 1}`))
    const waiting = (await log.peekInbox(SESSION)).map(item => item.body as number)
    expect(waiting.filter(n => n <= rows.length)).toEqual([]) // consumed with its row, or neither
    await releaseDead() // as a new owner does
    await close()
  }
})

test('of two processes that claim one session, never both append', async () => {
  const folder = await newState()
  const ttlMs = Math.ceil(Math.max(40, 10 * (await appendTime(folder)))) // as long as a few appends take here
  const rivals = [start(folder, ['compete', ttlMs]), start(folder, ['compete', ttlMs])]
  await Promise.all(rivals.map(rival => rival.acks(isFull ? 300 : 30)))
  await Promise.all(rivals.map(rival => rival.kill()))

  const { log, close } = unwrap(await openStores(folder))
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
    const folder = await newState()
    const holder = start(folder, ['hold', 300, 3])
    const closed = once(holder.process, 'close')
    await holder.acks(3) // then it stops itself, between two appends: in the midst of one it would hold the file
    await expect.poll(() => stateOf(holder.process)).toBe('T')

    const { log, close } = unwrap(await openStores(folder))
    const lease = unwrap(await takeOver(log))
    unwrap(await log.append(lease, [steer('taken over')]))
    holder.process.kill('SIGCONT')
    await closed
    expect(holder.said.at(-1)).toBe('LEASE_LOST')
    expect((await log.read(SESSION)).map(textOf).at(-1)).toBe('taken over')
    await close()
  },
)

const TRACER = 'strace'
const canTrace =
  process.platform === 'linux' && spawnSync(TRACER, ['-e', 'trace=none', 'true']).status === 0

test.skipIf(!canTrace)('no row is acknowledged before it was flushed to the disk', async () => {
  const folder = await newState()
  const trace = join(folder, 'trace')
  const strace = [TRACER, '-f', '-o', trace, '-e', 'trace=pwrite64,fdatasync,write']
  const child = start(folder, ['append', 60_000, 40], strace)
  await once(child.process, 'close')

  let isFlushed = false
  let acks = 0
  for (const call of readFileSync(trace, 'utf8').split('\n')) {
    if (/pwrite64\(/.test(call)) isFlushed = false
    if (/fdatasync.*= 0$/.test(call)) isFlushed = true
    if (!/write\(1, "ack/.test(call)) continue
    acks++
    expect(isFlushed).toBe(true)
  }
  expect(acks).toBeGreaterThanOrEqual(30)
})

async function newState(): Promise<string> {
  const folder = tempFolder()
  const { log, close } = unwrap(await openStores(folder))
  unwrap(
    await log.createSession({
      sessionId: SESSION,
      workspaceId: 'ws_1' as WorkspaceId,
      conversationId: CON,
    }),
  )
  await close()
  return folder
}

function start(folder: string, task: (string | number)[], under: string[] = []) {
  const [command, ...args] = [
    ...under,
    process.execPath,
    CHILD,
    folder,
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
async function appendTime(folder: string): Promise<number> {
  const { log, close } = unwrap(await openStores(folder))
  const sessionId = 'ses_timed' as SessionId
  unwrap(
    await log.createSession({ sessionId, workspaceId: 'ws_1' as WorkspaceId, conversationId: CON }),
  )
  const lease = unwrap(await log.claim(sessionId, 'the test', 60_000))
  const begun = performance.now()
  for (let n = 0; n < 10; n++) unwrap(await log.append(lease, [steer('x')]))
  const took = (performance.now() - begun) / 10
  await close()
  return took
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
