import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail, ok, type Result } from '@filewright/protocol'
import { MIGRATIONS } from './migrations.ts'
import { loadSqlite, type SqliteDatabase, type SqliteStatement, type SqlValue } from './sqlite.ts'
import { openWalFlush } from './wal-flush.ts'

export type { SqlValue } from './sqlite.ts'

/**
 * One SQLite file in WAL mode, owned by one process. Statements are synchronous, short, and prepared once.
 * A commit survives the death of this process; one that is `durable` survives the loss of power.
 */
export interface Database {
  /** Null in memory. */
  readonly file: string | null
  run(sql: string, ...values: SqlValue[]): { changes: number }
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined
  all<Row>(sql: string, ...values: SqlValue[]): Row[]
  /** All or none, at once: a throw inside rolls back and goes on to the caller. One inside another joins it. */
  transaction<Value>(work: () => Value): Value
  /** A transaction that is committed at once, and answered when it is `durable` (default) or `written`. */
  write<Value>(work: () => Value, acknowledge?: Acknowledge): Promise<Value>
  /**
   * Resolves when everything committed before this call is on the disk; waiters share one `fdatasync`.
   * Rejects, and goes on rejecting, once the disk refused: what it then holds is not known.
   */
  durable(): Promise<void>
  close(): Promise<void>
}

/** `written`: survives the death of the process. `durable`: survives a loss of power too. */
export type Acknowledge = 'durable' | 'written'

export type OpenFailure = 'STATE_TOO_NEW' | 'STATE_UNREADABLE' | 'LOCKED'

export const IN_MEMORY = ':memory:'

const APPLICATION_ID = 0x46575254 // 'FWRT', in the file's header: what `file` and we know it by
const BUSY_MS = 5_000 // one process owns the file; this only bridges a predecessor that is just closing
const CHECKPOINT_PAGES = 4_000 // 16 MB of log between checkpoints: fewer stalls, and still replayed in a blink

export async function openDatabase(file: string): Promise<Result<Database, OpenFailure>> {
  const sqlite = await loadSqlite()
  let connection: SqliteDatabase | undefined
  try {
    if (file !== IN_MEMORY) await mkdir(dirname(file), { recursive: true })
    connection = new sqlite.DatabaseSync(file)
    configure(connection)
    const problem = migrate(connection, file)
    if (!problem) return ok(wrap(connection, file))
    connection.close()
    return problem
  } catch (error) {
    connection?.close()
    return toOpenFailure(file, error)
  }
}

function configure(connection: SqliteDatabase): void {
  connection.exec(`
    pragma busy_timeout = ${BUSY_MS};
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma foreign_keys = on;
    pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
  `)
}

function migrate(connection: SqliteDatabase, file: string) {
  const version = pragma(connection, 'user_version')
  const owner = pragma(connection, 'application_id')
  if (owner !== APPLICATION_ID && (owner !== 0 || version !== 0))
    return unreadable(file, 'it is the database of another program')
  if (version > MIGRATIONS.length)
    return fail(
      'STATE_TOO_NEW',
      `Cannot open "${file}": it was written by a newer version of Filewright (state version ${version}, this one knows ${MIGRATIONS.length}). Use that version, or another state folder.`,
      { kind: 'unsupported', details: { found: version, known: MIGRATIONS.length } },
    )
  if (version === MIGRATIONS.length) return undefined
  connection.exec('begin immediate')
  // Read again under the lock: another process may have done it while we waited.
  for (let next = pragma(connection, 'user_version'); next < MIGRATIONS.length; next++)
    connection.exec(`${MIGRATIONS[next]}; pragma user_version = ${next + 1}`)
  connection.exec(`pragma application_id = ${APPLICATION_ID}; commit`)
  return undefined
}

function pragma(connection: SqliteDatabase, name: string): number {
  return (connection.prepare(`pragma ${name}`).get() as Record<string, number>)[name]!
}

function wrap(connection: SqliteDatabase, file: string): Database {
  // Also what keeps the connection from being collected: statements of the package do not.
  const statements = new Map<string, SqliteStatement>()
  const prepare = (sql: string) => {
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = connection.prepare(sql)))
    return statement
  }
  const wal = file === IN_MEMORY ? undefined : openWalFlush(file)
  let depth = 0

  function transaction<Value>(work: () => Value): Value {
    if (depth > 0) return work()
    prepare('begin immediate').run()
    depth++
    try {
      const value = work()
      prepare('commit').run()
      return value
    } catch (error) {
      rollback()
      throw error
    } finally {
      depth--
    }
  }

  function rollback() {
    try {
      prepare('rollback').run()
    } catch {
      // A full disk rolls back by itself; the cause that matters is on its way to the caller.
    }
  }

  const durable = () => wal?.flush() ?? Promise.resolve()

  return {
    file: file === IN_MEMORY ? null : file,
    run: (sql, ...values) => ({ changes: Number(prepare(sql).run(...values).changes) }),
    get: <Row>(sql: string, ...values: SqlValue[]) =>
      prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).all(...values) as Row[],
    transaction,
    async write(work, acknowledge = 'durable') {
      const value = transaction(work)
      if (acknowledge === 'durable') await durable()
      return value
    },
    durable,
    async close() {
      await wal?.close()
      statements.clear()
      connection.close()
    },
  }
}

function toOpenFailure(file: string, error: unknown): Result<never, OpenFailure> {
  const message = error instanceof Error ? error.message : String(error)
  if (/locked|busy/i.test(message))
    return fail(
      'LOCKED',
      `Cannot open "${file}": another process holds it. Wait for it to end, or use another state folder.`,
    )
  return unreadable(file, message)
}

function unreadable(file: string, found: string) {
  return fail(
    'STATE_UNREADABLE',
    `Cannot open "${file}": ${found}. Move it away to start anew, or use another state folder.`,
    { kind: 'unavailable' },
  )
}
