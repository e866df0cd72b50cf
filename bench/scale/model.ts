// What would 10,000 sessions at work and 10 million versions cost? A model of load, with what a turn costs as `instances` measured it
// here. Measured in this run: what a session costs whose model thinks (it keeps its lease), what a version costs in rows and bytes, and
// how long a new one takes with few and with many there.
//
//   node bench/run.mjs instances > instances.json
//   node bench/run.mjs scale/model --measured instances.json [--versions N]
import { readFileSync } from 'node:fs'
import { round1, round2 } from '../figures.ts'
import { type Stores, startModel, startService, startStores } from './service.ts'

const args = process.argv.slice(2)
const option = (name: string) => args[args.indexOf(`--${name}`) + 1]
const VERSIONS = Number(args.includes('--versions') ? option('versions') : 300_000)

/** The load that is asked about. */
const LOAD = {
  sessions: 10_000,
  versions: 10_000_000,
  /** Between two turns of a session a model thinks, and a person reads. */
  secondsPerTurn: 20,
  averageFileBytes: 20_000,
}
/** Assumed, not measured: one machine for the database, one instance, and how much of each a plan may use. */
const DATABASE = { transactionsPerSecond: 15_000, walBytesPerSecond: 100e6, connections: 500 }
const INSTANCE = { cores: 1, connections: 11, memoryBytes: 4e9, baseBytes: 120e6 }
const USED = 0.6

interface Measured {
  readonly one: {
    readonly perTurn: Readonly<
      Record<'transactions' | 'walBytes' | 'storedBytes' | 'processorMs', number>
    >
  }
  readonly idle: { readonly kilobytesEach: number }
}

if (!args.includes('--measured')) {
  console.error('Which figures? First: node bench/run.mjs instances > instances.json')
  process.exit(2)
}
const measured = JSON.parse(readFileSync(option('measured')!, 'utf8')) as Measured
const stores = await startStores()
try {
  const waiting = await measureWaiting(stores)
  const versions = await measureVersions(stores)
  const figures = { load: LOAD, waiting, versions, ...modelOf(measured, waiting, versions) }
  console.log(JSON.stringify(figures))
  const { demand, instances, bottleneck } = figures
  console.error(
    `${LOAD.sessions} sessions are ${demand.turnsPerSecond} turns/s: ${demand.transactionsPerSecond} transactions (${demand.ofThoseForLeases} for leases) and ${demand.walMegabytesPerSecond} MB of WAL in a second, ${instances.needed} instances (${instances.because}); ${LOAD.versions} versions are ${demand.versionGigabytes} GB of rows and ${demand.bucketTerabytes} TB in the bucket; first bottleneck: ${bottleneck}. A version costs ${versions.costOfMany} × with ${VERSIONS} there`,
  )
} finally {
  await stores.end()
}

type Waiting = Awaited<ReturnType<typeof measureWaiting>>
type Versions = Awaited<ReturnType<typeof measureVersions>>

function modelOf({ one: { perTurn }, idle }: Measured, waiting: Waiting, { bytesEach }: Versions) {
  const turnsPerSecond = LOAD.sessions / LOAD.secondsPerTurn
  const transactionsPerSecond =
    turnsPerSecond * perTurn.transactions + LOAD.sessions * waiting.transactionsPerSecond
  const walPerSecond = turnsPerSecond * perTurn.walBytes + LOAD.sessions * waiting.walBytesPerSecond
  const processorMs =
    turnsPerSecond * perTurn.processorMs + LOAD.sessions * waiting.processorMsPerSecond
  const byProcessor = processorMs / 1000 / (INSTANCE.cores * USED)
  const room = INSTANCE.memoryBytes * USED - INSTANCE.baseBytes
  const byMemory = (LOAD.sessions * idle.kilobytesEach * 1024) / room
  const byConnections = DATABASE.connections / INSTANCE.connections
  const needed = Math.ceil(Math.max(byProcessor, byMemory))
  const shares = {
    'transactions of the database': transactionsPerSecond / (DATABASE.transactionsPerSecond * USED),
    'WAL of the database': walPerSecond / (DATABASE.walBytesPerSecond * USED),
    'connections of the database': needed / byConnections,
  }
  const [bottleneck] = Object.entries(shares).sort(([, a], [, b]) => b - a)[0]!
  return {
    demand: {
      turnsPerSecond,
      transactionsPerSecond: Math.round(transactionsPerSecond),
      ofThoseForLeases: Math.round(LOAD.sessions * waiting.transactionsPerSecond),
      walMegabytesPerSecond: round1(walPerSecond / 1e6),
      logGigabytesPerDay: round1((turnsPerSecond * perTurn.storedBytes * 86_400) / 1e9),
      versionGigabytes: round1((LOAD.versions * bytesEach) / 1e9),
      bucketTerabytes: round2((LOAD.versions * LOAD.averageFileBytes) / 1e12),
    },
    instances: {
      needed,
      because: byProcessor > byMemory ? 'processor' : 'memory of open sessions',
      byProcessor: round1(byProcessor),
      byMemory: round1(byMemory),
    },
    /** 1: the machine of the database is as busy as a plan allows. */
    shares: Object.fromEntries(
      Object.entries(shares).map(([what, share]) => [what, round2(share)]),
    ),
    bottleneck,
    sessionsAtBottleneck: Math.round(LOAD.sessions / Math.max(...Object.values(shares))),
  }
}

/** Sessions with a run under way whose model is thinking: nothing happens but that they keep their leases. */
async function measureWaiting(all: Stores) {
  const [sessions, seconds] = [50, 10]
  const model = await startModel({ turns: 0, thinkingMs: 60_000 })
  const service = await startService(all, { instances: 1, modelUrl: model.url })
  const [origin] = service.origins
  const { workspaceId } = await service.ask(origin!, 'POST', '/workspaces/new', { name: 'Wait' })
  const at = `/workspaces/${workspaceId}/sessions`
  const costs = async () => ({
    ...(await spentBy(all, service.database)),
    processorMs: service.processorMs(),
  })
  const over = async (from: Awaited<ReturnType<typeof costs>>) => {
    await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    const to = await costs()
    return {
      transactions: to.transactions - from.transactions,
      walBytes: to.walBytes - from.walBytes,
      processorMs: to.processorMs - from.processorMs,
    }
  }
  const alone = await over(await costs())
  for (let n = 0; n < sessions; n++) {
    const { sessionId } = await service.ask(origin!, 'POST', at, {})
    await service.ask(origin!, 'POST', `${at}/${sessionId}/messages`, { text: 'Think.' })
  }
  await new Promise(resolve => setTimeout(resolve, 3_000))
  const thinking = await over(await costs())
  await service.stop()
  model.stop()
  const each = (key: keyof typeof alone) => (thinking[key] - alone[key]) / sessions / seconds
  return {
    transactionsPerSecond: round2(each('transactions')),
    walBytesPerSecond: Math.round(each('walBytes')),
    processorMsPerSecond: round2(each('processorMs')),
  }
}

async function spentBy({ find }: Stores, database: string) {
  await new Promise(resolve => setTimeout(resolve, 1_500)) // the database counts a moment later
  const [found] = await find(
    database,
    `select xact_commit::float as transactions,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float as "walBytes"
     from pg_stat_database where datname = current_database()`,
  )
  return found as { transactions: number; walBytes: number }
}

/** Puts files with nothing and with many versions of other workspaces there. */
async function measureVersions(all: Stores) {
  const model = await startModel({ turns: 0, thinkingMs: 0 })
  const service = await startService(all, { instances: 1, modelUrl: model.url })
  const [origin] = service.origins
  const { workspaceId } = await service.ask(origin!, 'POST', '/workspaces/new', { name: 'Scale' })
  const content = (path: string) => `/workspaces/${workspaceId}/content?path=${path}`

  const few = await timed(n => service.put(origin!, content(`few-${n}.txt`), `few ${n}\n`))
  const before = await sizeOf(all, service.database)
  await fill(all, service.database)
  const bytesEach = Math.round(((await sizeOf(all, service.database)) - before) / VERSIONS)
  const many = await timed(n => service.put(origin!, content(`many-${n}.txt`), `many ${n}\n`))
  await service.stop()
  model.stop()
  return { fewMs: few, manyMs: many, costOfMany: round2(many / few), there: VERSIONS, bytesEach }
}

/** The median of some, after some that warm it up. */
async function timed(work: (n: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 120; n++) {
    const since = performance.now()
    await work(n)
    if (n >= 20) times.push(performance.now() - since)
  }
  return round1(times.sort((a, b) => a - b)[times.length >> 1]!)
}

/** Rows as the store writes them: a blob, its version and its head, of workspaces with a thousand files each. */
async function fill({ find }: Stores, database: string): Promise<void> {
  const hash = "encode(sha256(n::text::bytea), 'hex')"
  const path = "'folder/some-name-of-a-file-' || n || '.docx'"
  await find(
    database,
    `insert into blobs (sha256, object, parts, size_bytes)
       select ${hash}, md5(n::text), '[["' || md5(n::text) || '",20000]]', 20000
       from generate_series(1, ${VERSIONS}) as n`,
  )
  await find(
    database,
    `with added as (
       insert into versions (workspace, doc_path, path, sha256, size_bytes, time, origin)
       select 'ws_' || md5((n / 1000)::text), ${path}, ${path}, ${hash}, 20000, '2026-01-01T00:00:00.000Z', 'upload'
       from generate_series(1, ${VERSIONS}) as n returning id, workspace, doc_path)
     insert into heads (workspace, doc_path, version) select workspace, doc_path, id from added`,
  )
  await find(database, 'analyze')
}

async function sizeOf({ find }: Stores, database: string): Promise<number> {
  const [found] = await find(
    database,
    `select sum(pg_total_relation_size(name::regclass))::float as bytes
     from unnest(array['blobs', 'versions', 'heads']) as name`,
  )
  return (found as { bytes: number }).bytes
}
