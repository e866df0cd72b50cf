import type { Database } from './database.ts'
import type { Settings } from './settings.ts'

export function createSettings(database: Database): Settings {
  return {
    async get<Value>(key: string) {
      const row = database.get<{ value: string }>('select value from settings where key = ?', key)
      return row && (JSON.parse(row.value) as Value)
    },
    async set(key, value) {
      await database.write(() =>
        database.run(
          'insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
          key,
          JSON.stringify(value),
        ),
      )
    },
    async delete(key) {
      await database.write(() => database.run('delete from settings where key = ?', key))
    },
    async list<Value>(prefix: string) {
      const rows = database.all<{ key: string; value: string }>(
        'select key, value from settings where substr(key, 1, length(?1)) = ?1 order by key',
        prefix,
      )
      return rows.map(({ key, value }) => ({ key, value: JSON.parse(value) as Value }))
    },
  }
}
