import type { Settings } from '../store/settings.ts'
import type { Postgres, Queries } from './database/postgres.ts'

const WRITE = `insert into settings (key, value) values ($1, $2)
  on conflict (key) do update set value = excluded.value`

/** Nothing is kept in memory: another instance may have written. */
export function createSharedSettings(database: Postgres): Settings {
  return {
    async get<Value>(key: string) {
      const [row] = await database.repeat<Row>('select value from settings where key = $1', [key])
      return row && (JSON.parse(row.value) as Value)
    },
    async set(key, value) {
      await database.repeat(WRITE, [key, JSON.stringify(value)])
    },
    update: (key, toNext) => database.transaction(queries => update(queries, key, toNext)),
    async delete(key) {
      await database.repeat('delete from settings where key = $1', [key])
    },
    async list<Value>(prefix: string) {
      const rows = await database.repeat<Row & { key: string }>(
        'select key, value from settings where starts_with(key, $1) order by key collate "C"',
        [prefix],
      )
      return rows.map(({ key, value }) => ({ key, value: JSON.parse(value) as Value }))
    },
  }
}

interface Row {
  readonly value: string
}

/** The lock also covers a key that is not there yet. */
async function update<Value>(
  queries: Queries,
  key: string,
  toNext: (value: Value | undefined) => Value,
): Promise<void> {
  await queries.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [key])
  const [row] = await queries.query<Row>('select value from settings where key = $1', [key])
  const next = toNext(row && (JSON.parse(row.value) as Value))
  await queries.run(WRITE, [key, JSON.stringify(next)])
}
