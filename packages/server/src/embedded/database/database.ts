import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail, ok, type Result } from '@filewright/protocol'
import type { Acknowledge } from '../../log/log.ts'
import { createCommitGroup, type Group } from './commit-group.ts'
import { MIGRATIONS } from './migrations.ts'
import { loadSqlite, type SqliteDatabase, type SqliteStatement, type SqlValue } from './sqlite.ts'
import { openWalFlush } from './wal-flush.ts'

export type { SqlValue } from './sqlite.ts'

/**
 * One SQLite file in WAL mode, owned by one process. Statements are synchronous, short, and prepared once. The writes
 * of one event-loop turn are one commit; outside a `change`, reads see only committed data.
 */
export interface Database {
  /** Null in memory. */
  readonly file: string | null
  run(sql: string, ...values: readonly SqlValue[]): RunResult
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined
  all<Row>(sql: string, ...values: SqlValue[]): Row[]
  /** Runs at once, all or nothing: a throw undoes it and reaches the caller. */
  change<Value>(work: () => Value, options?: ChangeOptions): Committed<Value>
  /**
   * Work that runs before the next read or write, or with this turn's commit at the latest, so that small writes can be
   * gathered. It makes its own changes and must not throw.
   */
  later(work: () => void): Pick<Committed<void>, 'kept'>
  /** Counts rollbacks: a cache of written data is stale when this changes. */
  undone(): number
  /** A change that resolves when it is `durable` (default) or `written`. */
  write<Value>(work: () => Value, acknowledge?: Acknowledge): Promise<Value>
  close(): Promise<void>
}

export interface RunResult {
  readonly changes: number
  /** The position of the last inserted row. */
  readonly lastRowId: number
}

export interface ChangeOptions {
  /** The work uses at most one statement: it needs no savepoint, which is a tenth of an append. */
  readonly writesOnce?: boolean
}

export interface Committed<Value> {
  readonly value: Value
  /**
   * Resolves when the data is as safe as requested. Rejects when the disk refused it; after a refused flush it keeps
   * rejecting, because the state of the disk is unknown.
   */
  kept(acknowledge: Acknowledge): Promise<void>
}

export type OpenFailure = 'STATE_TOO_NEW' | 'STATE_UNREADABLE' | 'LOCKED'

export const IN_MEMORY = ':memory:'

const APPLICATION_ID = 0x46575254 // 'FWRT' in the file's header identifies our databases, to `file` too
const BUSY_MS = 5_000 // one process owns the file; this only bridges a predecessor that is closing
const CHECKPOINT_PAGES = 2_000 // 8 MB: beyond it the -wal is overwritten instead of extended, which makes a flush cheaper

export async function openDatabase(file: string): Promise<Result<Database, OpenFailure>> {
  const sqlite = await loadSqlite()
  let connection: SqliteDatabase | undefined
  try {
    if (file !== IN_MEMORY) await makePrivate(file)
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

/** Readable by its user only, in any folder; SQLite's companion files take the same mode. */
async function makePrivate(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'a', 0o600)
  try {
    const { mode } = await handle.stat()
    if ((mode & 0o077) !== 0) await handle.chmod(0o600)
  } finally {
    await handle.close()
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
  // Read again under the lock: another process may have migrated meanwhile.
  for (let next = pragma(connection, 'user_version'); next < MIGRATIONS.length; next++)
    connection.exec(`${MIGRATIONS[next]}; pragma user_version = ${next + 1}`)
  connection.exec(`pragma application_id = ${APPLICATION_ID}; commit`)
  return undefined
}

function pragma(connection: SqliteDatabase, name: string): number {
  return (connection.prepare(`pragma ${name}`).get() as Record<string, number>)[name]!
}

function wrap(connection: SqliteDatabase, file: string): Database {
  // Also keeps the connection from being collected: statements of the package do not.
  const statements = new Map<string, SqliteStatement>()
  const prepare = (sql: string) => {
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = connection.prepare(sql)))
    return statement
  }
  const group = createCommitGroup(prepare)
  const wal = file === IN_MEMORY ? undefined : openWalFlush(file, group.commit)

  /** Ends the open group first when called outside a change. */
  const read = (sql: string) => {
    if (!group.isWorking()) group.commit()
    return prepare(sql)
  }

  function kept(own: Group, acknowledge: Acknowledge): Promise<void> {
    if (acknowledge === 'written' || !wal) return own.committed
    if (acknowledge !== 'durable') return wal.flushSoon().then(() => own.committed)
    own.durable ??= wal.flush().then(() => own.committed)
    return own.durable
  }

  function change<Value>(work: () => Value, options?: ChangeOptions): Committed<Value> {
    const { value, group: own } = group.add(work, options)
    return { value, kept: acknowledge => kept(own, acknowledge) }
  }

  return {
    file: file === IN_MEMORY ? null : file,
    run(sql, ...values) {
      const { changes, lastInsertRowid } = read(sql).run(...values)
      return { changes: Number(changes), lastRowId: Number(lastInsertRowid) }
    },
    get: <Row>(sql: string, ...values: SqlValue[]) => read(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SqlValue[]) => read(sql).all(...values) as Row[],
    change,
    later(work) {
      const own = group.addLater(work)
      return { kept: acknowledge => kept(own, acknowledge) }
    },
    undone: group.undone,
    async write(work, acknowledge = 'durable') {
      const { value, kept } = change(work)
      await kept(acknowledge)
      return value
    },
    async close() {
      group.commit()
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
  if (/unable to open|I\/O error/i.test(message))
    return fail(
      'STATE_UNREADABLE',
      `Cannot open "${file}": the system could not open or read it or the files next to it (${message}), perhaps because of too many open files or a missing permission. It may be intact: try again, or use another state folder.`,
      { kind: 'unavailable' },
    )
  return unreadable(file, message)
}

function unreadable(file: string, found: string) {
  return fail(
    'STATE_UNREADABLE',
    `Cannot open "${file}": ${found}. Move it away to start afresh, or use another state folder.`,
    { kind: 'unavailable' },
  )
}
