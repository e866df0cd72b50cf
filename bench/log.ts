// How many appends to the log are durable in a second when 16 sessions work at once? Next to it, in the same run, the
// same rows through the same code with a commit and a flush of their own each (SQLite's `synchronous=FULL`).
//
//   node bench/run.mjs log [--check] [--rounds N]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConversationId,
  type SessionId,
  type ToolCallId,
  type TurnId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import {
  type Acknowledge,
  createMemoryBlobs,
  createSessionLog,
  type Database,
  type Lease,
  openDatabase,
  type SessionLog,
} from '@filewright/server/stores'
import { median } from './figures.ts'

const CONVERSATION = 'con_0123456789abcdef' as ConversationId
const SESSIONS = 16
const LIMIT = 8
const APPENDS = { shared: 16_000, each: 800 }

/** A typical row. */
const LINE = {
  conversationId: CONVERSATION,
  body: {
    type: 'call-start',
    tool_call_id: 'tc_0123456789abcdef' as ToolCallId,
    turn_id: 'trn_0123456789abcdef' as TurnId,
    name: 'read_file',
    arguments: '{"path":"src/app.ts","line_start":1,"line_count":200}',
    label: 'Reading src/app.ts',
  },
} as const

const args = process.argv.slice(2)
const rounds = Number(args[args.indexOf('--rounds') + 1]) || 5
const scratch = mkdtempSync(join(tmpdir(), 'filewright-bench-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

await main()

async function main(): Promise<void> {
  const shared = await openLog('shared')
  const each = withFlushEach(await openLog('each'))
  const runs: { shared: number; each: number; written: number }[] = []
  for (let round = 0; round < rounds; round++)
    runs.push({
      each: await appendAll(each, APPENDS.each),
      shared: await appendAll(shared, APPENDS.shared),
      written: await appendAll(shared, APPENDS.shared, 'written'),
    })
  const oneSession = await appendAll({ ...shared, leases: shared.leases.slice(0, 1) }, 800)
  const figures = {
    sessions: SESSIONS,
    durableAppendsPerSecond: Math.round(median(runs.map(run => run.shared))),
    withOneFlushEach: Math.round(median(runs.map(run => run.each))),
    ratio: Number(median(runs.map(run => run.shared / run.each)).toFixed(1)),
    limit: LIMIT,
    withoutFlush: Math.round(median(runs.map(run => run.written))),
    estimate: Number(median(runs.map(estimate)).toFixed(1)),
    oneSessionPerSecond: Math.round(oneSession),
  }
  console.log(JSON.stringify(figures))
  console.error(
    `${figures.durableAppendsPerSecond} durable appends/s at ${SESSIONS} sessions, ${figures.ratio} × one flush each (${figures.withOneFlushEach}/s; at least ${LIMIT} ×; this disk and processor let expect about ${figures.estimate} ×)`,
  )
  if (args.includes('--check') && figures.ratio < LIMIT) process.exitCode = 1
}

/** The ratio if only the flush were shared among the sessions: the faster the disk, the smaller the gain. */
function estimate({ each, written }: { each: number; written: number }): number {
  const flush = Math.max(0, 1 / each - 1 / written)
  return 1 / each / (1 / written + flush / SESSIONS)
}

interface OpenLog {
  readonly database: Database
  readonly log: SessionLog
  readonly leases: readonly Lease[]
}

/** A log in use: after its first checkpoint the -wal is overwritten, which is cheaper to flush than growing it. */
async function openLog(name: string): Promise<OpenLog> {
  const database = unwrap(await openDatabase(join(scratch, name, 'filewright.db')))
  const log = createSessionLog(database, createMemoryBlobs())
  const leases: Lease[] = []
  for (let i = 0; i < SESSIONS; i++) {
    const sessionId = `ses_${i.toString(16).padStart(16, '0')}` as SessionId
    const workspaceId = 'ws_0123456789abcdef' as WorkspaceId
    unwrap(await log.createSession({ sessionId, workspaceId, conversationId: CONVERSATION }))
    leases.push(unwrap(await log.claim(sessionId, 'bench', 3_600_000)))
  }
  await appendAll({ log, leases }, APPENDS.shared)
  return { database, log, leases }
}

/** The log without sharing: each change is committed, and so flushed, before the next. */
function withFlushEach({ database, leases }: OpenLog): OpenLog {
  database.run('pragma synchronous = full')
  const alone: Database = {
    ...database,
    change: (work, options) => {
      const { value, kept } = database.change(work, options)
      database.get('select 1') // reading from outside ends the open group
      return { value, kept: () => kept('written') }
    },
    later: work => {
      work() // its changes are those above
      return { kept: () => Promise.resolve() }
    },
  }
  return { database, log: createSessionLog(alone, createMemoryBlobs()), leases }
}

/** Appends per second; every session waits for each of its rows. */
async function appendAll(
  { log, leases }: Pick<OpenLog, 'log' | 'leases'>,
  count: number,
  acknowledge: Acknowledge = 'durable',
): Promise<number> {
  const start = performance.now()
  await Promise.all(
    leases.map(async lease => {
      for (let i = 0; i < count / leases.length; i++)
        unwrap(await log.append(lease, [LINE], { acknowledge }))
    }),
  )
  return (count / (performance.now() - start)) * 1000
}
