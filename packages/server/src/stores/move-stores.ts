import { join } from 'node:path'
import { fail, ok, type Result, type Sha256 } from '@filewright/protocol'
import { createFileBlobs } from '../embedded/blobs-embedded.ts'
import { type Database, openDatabase } from '../embedded/database/database.ts'
import type { Queries } from '../shared/database/postgres.ts'
import { connectShared, type SharedPlace } from '../shared/open-shared.ts'
import type { Blobs } from '../store/blobs.ts'
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts'
import { createRowDigest, type Row } from './row-digest.ts'

/** What was moved, each compared by hash after it was written. */
export interface MovedState {
  readonly tables: readonly {
    readonly name: string
    readonly rows: number
    readonly digest: string
  }[]
  readonly blobs: number
  readonly bytes: number
  /** Named by a row, and lost in the old store already. */
  readonly missing: readonly Sha256[]
}

export interface MoveOptions {
  /** The name of a setting in the new place. */
  readonly toKey: (key: string, value: string) => string
  readonly onProgress?: (sentence: string) => void
}

const ROWS = 500

/**
 * Copies the state in a folder to a database and a bucket that hold nothing yet. The folder stays as it is. Bytes go
 * first, and all rows are one transaction: a move that was cut off is begun again.
 */
export async function moveStores(
  folder: string,
  place: SharedPlace,
  { toKey, onProgress = () => {} }: MoveOptions,
): Promise<Result<MovedState>> {
  const opened = await openDatabase(join(folder, 'filewright.db'))
  if (!opened.ok) return opened
  const from = opened.value
  const connected = await connectShared(place)
  if (!connected.ok) {
    await from.close()
    return connected
  }
  const { database: to, blobs } = connected.value
  try {
    const used = [...MOVED_TABLES.map(({ name }) => name), 'hosted'].map(
      name => `select 1 from ${name}`,
    )
    const isUsed = await to.query(`${used.join(' union all ')} limit 1`)
    if (isUsed.length > 0) return occupied()
    const bytes = await moveBlobs(from, createFileBlobs(join(folder, 'blobs')), blobs)
    onProgress(`${bytes.blobs} blobs are in the bucket.`)
    return await to.transaction(queries => moveRows(from, queries, { toKey, onProgress }, bytes))
  } finally {
    await from.close()
    await to.close()
  }
}

function occupied() {
  return fail('CONFLICT', 'Nothing was moved: the database is in use already. Name an empty one.')
}

type MovedBytes = Pick<MovedState, 'blobs' | 'bytes' | 'missing'>

async function moveBlobs(from: Database, old: Blobs, fresh: Blobs): Promise<MovedBytes> {
  const named = from.all<{ sha256: Sha256 }>(
    'select sha256 from versions where sha256 is not null union select sha256 from log_blobs',
  )
  const missing: Sha256[] = []
  let bytes = 0
  for (const { sha256 } of named) {
    const pieces = await old.stream(sha256)
    if (!pieces) {
      missing.push(sha256)
      continue
    }
    const put = await fresh.put(pieces, { sha256 })
    if (!put.ok) throw new Error(put.failure.message)
    await readWhole(fresh, sha256)
    bytes += put.value.sizeBytes
  }
  return { blobs: named.length - missing.length, bytes, missing }
}

/** The store compares what it reads whole with its hash. */
async function readWhole(blobs: Blobs, sha256: Sha256): Promise<void> {
  const pieces = await blobs.stream(sha256)
  if (!pieces) throw new Error(`The bucket does not give back ${sha256}`)
  for await (const _ of pieces); // read to the end
}

async function moveRows(
  from: Database,
  to: Queries,
  { toKey, onProgress }: Required<MoveOptions>,
  bytes: MovedBytes,
): Promise<Result<MovedState>> {
  const tables: MovedState['tables'][number][] = []
  for (const table of MOVED_TABLES) {
    const sent = createRowDigest(Object.keys(table.columns))
    for (const rows of pagesOf(from, table)) {
      const named = table.name === 'settings' ? rows.map(row => renamed(row, toKey)) : rows
      sent.add(named)
      await insert(to, table, named)
    }
    const found = await digestOf(to, table)
    if (found.digest !== sent.result().digest)
      throw new Error(`The rows of ${table.name} came back different. Nothing was moved`)
    tables.push({ name: table.name, ...found })
    onProgress(`${table.name}: ${found.rows} rows, compared.`)
  }
  for (const sql of AFTERWARDS) await to.query(sql)
  return ok({ tables, ...bytes })
}

function renamed(row: Row, toKey: MoveOptions['toKey']): Row {
  return { ...row, key: toKey(String(row.key), String(row.value)) }
}

function* pagesOf(from: Database, { name, columns, key }: MovedTable): Generator<Row[]> {
  const list = Object.keys(columns).join(', ')
  const keys = key.join(', ')
  const after = `where (${keys}) > (${key.map(() => '?').join(', ')})`
  for (let last: Row | undefined; ; ) {
    const rows = from.all<Row>(
      `select ${list} from ${name} ${last ? after : ''} order by ${keys} limit ${ROWS}`,
      ...key.flatMap(column => (last ? [last[column]!] : [])),
    )
    if (rows.length > 0) yield rows
    if (rows.length < ROWS) return
    last = rows.at(-1)
  }
}

async function insert(to: Queries, { name, columns }: MovedTable, rows: readonly Row[]) {
  const names = Object.keys(columns)
  const lists = names.map((column, i) => `$${i + 1}::${columns[column]}[]`)
  await to.run(
    `insert into ${name} (${names.join(', ')}) overriding system value
     select * from unnest(${lists.join(', ')})`,
    names.map(column => rows.map(row => row[column] ?? null)),
  )
}

async function digestOf(to: Queries, { name, columns }: MovedTable) {
  const digest = createRowDigest(Object.keys(columns))
  await to.run(`declare moved cursor for select ${Object.keys(columns).join(', ')} from ${name}`)
  for (;;) {
    const rows = await to.query<Row>(`fetch ${ROWS} from moved`)
    digest.add(rows)
    if (rows.length < ROWS) break
  }
  await to.run('close moved')
  return digest.result()
}

/** What the new database counts and derives by itself. */
const AFTERWARDS = [
  ...MOVED_TABLES.filter(({ isCounted }) => isCounted).map(
    ({ name, key }) =>
      `select setval(pg_get_serial_sequence('${name}', '${key}'), greatest(1, (select max(${key}) from ${name})))`,
  ),
  `select setval('log_position', greatest(1, (select max(position) from log), (select max(begun) from sessions)))`,
  `insert into open_calls (session, tool_call, workspace, name, position)
   select session, subject, workspace, body::json ->> 'name', position from log as started
   where type = 'call-start' and position = (select max(position) from log as newer
       where newer.session = started.session and newer.subject = started.subject and newer.type = 'call-start')
     and not exists (select 1 from log as ended
       where ended.session = started.session and ended.subject = started.subject and ended.type = 'tool_result')`,
]
