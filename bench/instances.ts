// What does a service of one and of three instances hold: turns in a second, how late events arrive, memory of a session that
// only listens, and what a turn costs the database and the processor, with ten times the sessions too?
//
//   node bench/run.mjs instances [--sessions N] [--turns N] [--idle N]
import { round1, round2 } from './figures.ts'
import {
  type Service,
  type Stores,
  startModel,
  startService,
  startStores,
} from './scale/service.ts'

const args = process.argv.slice(2)
const option = (name: string, preset: number) =>
  Number(args[args.indexOf(`--${name}`) + 1]) || preset
const SESSIONS = option('sessions', 100)
const TURNS = option('turns', 10)
const IDLE = option('idle', 500)
const THINKING_MS = 50

const stores = await startStores()
try {
  const model = await startModel({ turns: TURNS, thinkingMs: THINKING_MS })
  const one = await measure(1, SESSIONS, model.url)
  const tenth = await measure(1, SESSIONS / 10, model.url)
  const three = await measure(3, SESSIONS, model.url)
  const idle = await measureIdle(model.url)
  model.stop()
  const figures = {
    sessions: SESSIONS,
    turnsEach: TURNS,
    one,
    oneWithATenth: tenth,
    three,
    idle,
    costOf10x: {
      transactions: round2(one.perTurn.transactions / tenth.perTurn.transactions),
      walBytes: round2(one.perTurn.walBytes / tenth.perTurn.walBytes),
      processorMs: round2(one.perTurn.processorMs / tenth.perTurn.processorMs),
    },
  }
  console.log(JSON.stringify(figures))
  console.error(
    `${SESSIONS} sessions: ${one.turnsPerSecond} turns/s with one instance (events p99 ${one.eventsP99Ms} ms), ${three.turnsPerSecond} with three (p99 ${three.eventsP99Ms} ms); a turn is ${one.perTurn.transactions} transactions, ${one.perTurn.walBytes} bytes of WAL, ${one.perTurn.processorMs} ms of processor; ${figures.costOf10x.processorMs} × a tenth of the sessions; ${idle.kilobytesEach} KB for a session that only listens`,
  )
} finally {
  await stores.end()
}

async function measure(instances: number, sessions: number, modelUrl: string) {
  const service = await startService(stores, { instances, modelUrl })
  const made = await makeSessions(service, sessions)
  const delays: number[] = []
  const before = await costs(stores, service)
  const since = performance.now()
  await Promise.all(
    made.map(async ({ session, origin, elsewhere }) => {
      const ended = hearEnd(service, `${elsewhere}/api${session}/events`, delays)
      await service.ask(origin, 'POST', `${session}/messages`, { text: 'Write them.' })
      await ended
    }),
  )
  const seconds = (performance.now() - since) / 1000
  const after = await costs(stores, service)
  await service.stop()
  const turns = sessions * (TURNS + 1)
  const perTurn = (key: keyof typeof before) => (after[key] - before[key]) / turns
  delays.sort((a, b) => a - b)
  return {
    turnsPerSecond: Math.round(turns / seconds),
    eventsP50Ms: delays[Math.floor(delays.length * 0.5)]!,
    eventsP99Ms: delays[Math.floor(delays.length * 0.99)]!,
    perTurn: {
      transactions: round1(perTurn('transactions')),
      rows: round1(perTurn('rows')),
      walBytes: Math.round(perTurn('walBytes')),
      storedBytes: Math.round(perTurn('storedBytes')),
      processorMs: round1(perTurn('processorMs')),
    },
  }
}

/** Each in a workspace of its own; its events are read at another instance than its requests go to. */
async function makeSessions({ ask, origins }: Service, count: number) {
  const made: { session: string; origin: string; elsewhere: string }[] = []
  for (let n = 0; n < count; n++) {
    const origin = origins[n % origins.length]!
    const { workspaceId } = await ask(origin, 'POST', '/workspaces/new', { name: `Work ${n}` })
    const { sessionId } = await ask(origin, 'POST', `/workspaces/${workspaceId}/sessions`, {})
    const session = `/workspaces/${workspaceId}/sessions/${sessionId}`
    made.push({ session, origin, elsewhere: origins[(n + 1) % origins.length]! })
  }
  return made
}

/** Between the time in a row and its arrival: both clocks are this machine's. */
function hearEnd(service: Service, url: string, delays: number[]): Promise<void> {
  return new Promise(resolve => {
    const heard = service.follow(url, ({ row }, at) => {
      if (!row) return
      delays.push(at - Date.parse(row.time))
      if (row.type !== 'run-end') return
      heard.stop()
      resolve()
    })
  })
}

async function costs({ find }: Stores, { database, processorMs }: Service) {
  await new Promise(resolve => setTimeout(resolve, 1_500)) // the database counts a moment later
  const [found] = await find(
    database,
    `select xact_commit::float as transactions, tup_inserted::float as rows,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float as "walBytes",
       pg_database_size(datname)::float as "storedBytes"
     from pg_stat_database where datname = current_database()`,
  )
  const counted = found as Record<'transactions' | 'rows' | 'walBytes' | 'storedBytes', number>
  return { ...counted, processorMs: processorMs() }
}

/** Sessions that somebody has open and nobody works in: each has a stream of events. */
async function measureIdle(modelUrl: string) {
  const service = await startService(stores, { instances: 1, modelUrl })
  await makeSessions(service, 5)
  const [origin] = service.origins
  const { workspaceId } = await service.ask(origin!, 'POST', '/workspaces/new', { name: 'Idle' })
  const before = service.residentBytes()
  const heard = []
  for (let n = 0; n < IDLE; n++) {
    const at = `/workspaces/${workspaceId}/sessions`
    const { sessionId } = await service.ask(origin!, 'POST', at, {})
    heard.push(service.follow(`${origin}/api${at}/${sessionId}/events`, () => {}))
  }
  await new Promise(resolve => setTimeout(resolve, 3_000))
  const bytes = service.residentBytes() - before
  for (const each of heard) each.stop()
  await service.stop()
  return { held: IDLE, kilobytesEach: Math.round(bytes / IDLE / 1024) }
}
