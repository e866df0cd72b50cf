import { createHash } from 'node:crypto'
import { fail, ok, type Result } from '@filewright/protocol'
import { MIGRATIONS, type Migration } from './migrations.ts'
import type { Postgres, Queries } from './postgres.ts'

const LOCK = 'filewright migrations'

/**
 * Brings the tables up to what this program knows. One instance does so at a time. A database that a newer program
 * migrated is used as it is, as long as the newer tables serve this program too.
 */
export async function migrate(
  database: Postgres,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Result<void, 'STATE_TOO_NEW' | 'STATE_UNREADABLE'>> {
  return database.transaction(async queries => {
    await queries.query('select pg_advisory_xact_lock(hashtext($1), hashtext(current_schema()))', [
      LOCK,
    ])
    await queries.run(`create table if not exists migrations (
      number integer primary key, checksum text not null, needs integer not null,
      applied timestamptz not null default clock_timestamp())`)
    const applied = await queries.query<Applied>(
      'select number, checksum, needs from migrations order by number',
    )
    const problem = problemOf(applied, migrations)
    if (problem) return problem
    for (let n = applied.length; n < migrations.length; n++) await apply(queries, migrations, n)
    return ok(undefined)
  })
}

interface Applied {
  readonly number: number
  readonly checksum: string
  readonly needs: number
}

async function apply(queries: Queries, migrations: readonly Migration[], n: number) {
  const { sql, needs } = migrations[n]!
  await queries.run(sql)
  await queries.run('insert into migrations (number, checksum, needs) values ($1, $2, $3)', [
    n + 1,
    checksumOf(sql),
    needs,
  ])
}

function problemOf(applied: readonly Applied[], migrations: readonly Migration[]) {
  const needed = Math.max(0, ...applied.map(({ needs }) => needs))
  if (needed > migrations.length)
    return fail(
      'STATE_TOO_NEW',
      `Cannot use the database: a newer Filewright has changed its tables (it needs ${needed} migrations, this one knows ${migrations.length}). Update this instance.`,
      { kind: 'unsupported' },
    )
  const other = applied.find(
    ({ number, checksum }, i) =>
      number !== i + 1 || (migrations[i] && checksum !== checksumOf(migrations[i].sql)),
  )
  if (!other) return undefined
  return fail(
    'STATE_UNREADABLE',
    `Cannot use the database: migration ${other.number} in it is not the one that this program knows. Name an empty database, or one that Filewright made.`,
    { kind: 'unavailable' },
  )
}

function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}
