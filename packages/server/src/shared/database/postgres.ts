import type { Client, Pool, PoolClient } from 'pg'
import { StoreAway } from '../../store/store-away.ts'

/** A value of a statement. Lists are arrays of PostgreSQL. */
export type PgValue = string | number | boolean | null | readonly (string | number | null)[]

export interface Queries {
  query<Row>(sql: string, values?: readonly PgValue[]): Promise<Row[]>
  /** How many rows it changed. */
  run(sql: string, values?: readonly PgValue[]): Promise<number>
}

/** A PostgreSQL database that other instances use at the same time. */
export interface Postgres extends Queries {
  /** For a statement that may run twice: one that a cut connection leaves in doubt is sent again. */
  repeat<Row>(sql: string, values?: readonly PgValue[]): Promise<Row[]>
  /** All or nothing. A throw undoes it; a cut connection leaves it in doubt. */
  transaction<Value>(work: (queries: Queries) => Promise<Value>): Promise<Value>
  /** A connection of its own, for LISTEN. */
  connect(): Promise<Client>
  close(): Promise<void>
}

export interface PostgresOptions {
  readonly connections?: number
}

const CONNECTIONS = 10
const CONNECT_MS = 5_000
const STATEMENT_MS = 30_000 // no statement of ours takes a second: beyond this the server is stuck
const FROZEN_MS = 2_000 // a frozen instance must not keep the rows that its transaction locked
const REPEATS = 6
const FIRST_PAUSE_MS = 50

/** The library is loaded here, so that a start without PostgreSQL does not pay for it. */
export async function connectPostgres(
  url: string,
  { connections = CONNECTIONS }: PostgresOptions = {},
): Promise<Postgres> {
  const { default: pg } = await import('pg')
  const settings = {
    connectionString: url,
    application_name: 'filewright',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: FROZEN_MS,
    keepAlive: true,
    types: { getTypeParser: typeParsers(pg.types.getTypeParser) },
  }
  const pool: Pool = new pg.Pool({ ...settings, max: connections })
  pool.on('error', () => {}) // an idle connection was cut: the pool replaces it
  pool.on('connect', client => client.on('error', hearError))

  return {
    ...queriesOf((text, values) =>
      named(withConnection(pool, client => client.query(text, values))),
    ),
    async repeat<Row>(sql: string, values: readonly PgValue[] = []) {
      const { rows } = await named(repeating(() => pool.query(sql, [...values])))
      return rows as Row[]
    },
    transaction: work => named(withConnection(pool, client => inTransaction(client, work), BEGIN)),
    async connect() {
      const client: Client = new pg.Client(settings)
      client.on('error', hearError)
      await client.connect()
      return client
    },
    close: () => pool.end(),
  }
}

/** A connection may be cut at any moment, and without a listener that ends the process. Whoever uses it gets the error too. */
function hearError(): void {}

/** Callers tell a database that is away from an error of ours. */
async function named<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (isConnectionLoss(error) || isStuck(error)) throw new StoreAway(error)
    throw error
  }
}

interface Answer {
  readonly rows: readonly unknown[]
  readonly rowCount: number | null
}

function queriesOf(send: (text: string, values: unknown[]) => Promise<Answer>): Queries {
  return {
    async query<Row>(sql: string, values: readonly PgValue[] = []) {
      return (await send(sql, [...values])).rows as Row[]
    },
    run: async (sql, values = []) => (await send(sql, [...values])).rowCount ?? 0,
  }
}

const BEGIN = 'begin'

/** `first` changes nothing, so a connection that turns out to be dead by it is replaced by another. */
async function withConnection<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
  first?: string,
): Promise<Value> {
  for (let attempt = 1; ; attempt++)
    try {
      return await onConnection(pool, work, first)
    } catch (error) {
      if (attempt === REPEATS || !wasNeverSent(error)) throw error
    }
}

/** The connection was dead before anything was sent on it. */
function wasNeverSent(error: unknown): boolean {
  return /not queryable/.test((error as Error).message)
}

async function onConnection<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
  first: string | undefined,
): Promise<Value> {
  const client = await repeating(() => takeConnection(pool, first))
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    if (isConnectionLoss(error) || isStuck(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

async function takeConnection(pool: Pool, first: string | undefined): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    if (first) await client.query(first)
    return client
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

async function inTransaction<Value>(
  client: PoolClient,
  work: (queries: Queries) => Promise<Value>,
): Promise<Value> {
  try {
    const value = await work(queriesOf((text, values) => client.query(text, values)))
    await client.query('commit')
    return value
  } catch (error) {
    if (!isConnectionLoss(error) && !isStuck(error)) await client.query('rollback').catch(() => {})
    throw error
  }
}

async function repeating<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt === REPEATS || !isConnectionLoss(error)) throw error
      await new Promise(resolve => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)))
    }
}

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN'])

/** The server went away, is starting or stopping, ended our connection, or has none, no memory or no room for us now. */
export function isConnectionLoss(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (NETWORK_CODES.has(code) || /^(08|53|57P0)/.test(code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(message)
}

/** The statement is still under way on its connection, which nobody else can use. */
function isStuck(error: unknown): boolean {
  return /Query read timeout/.test((error as Error).message)
}

const INT8 = 20

/** Counts and positions are numbers: none of ours leaves the range in which a number is exact. */
function typeParsers(standard: (id: number, format?: 'text' | 'binary') => unknown) {
  return (id: number, format?: 'text' | 'binary') =>
    id === INT8 && format !== 'binary' ? Number : standard(id, format)
}
