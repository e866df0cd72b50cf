import type { Settings } from '../store/settings.ts'
import type { Database } from './database/database.ts'

const MOST_HELD = 1_000

/** One process owns the database, so a value once read stays valid until this process writes it. */
export function createSettings(database: Database): Settings {
  const held = new Map<string, string | undefined>()

  function textOf(key: string): string | undefined {
    if (held.has(key)) return held.get(key)
    const row = database.get<{ value: string }>('select value from settings where key = ?', key)
    if (held.size >= MOST_HELD) held.clear()
    held.set(key, row?.value)
    return row?.value
  }

  /** Forgets the value during a write, which may be undone: the next read looks it up. */
  async function change(key: string, work: () => void): Promise<void> {
    held.delete(key)
    await database.write(work).finally(() => held.delete(key))
  }

  function write(key: string, value: unknown) {
    database.run(
      'insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
      key,
      JSON.stringify(value),
    )
  }

  function kept<Value>(key: string): Value | undefined {
    const text = textOf(key)
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  }

  return {
    async get<Value>(key: string) {
      return kept<Value>(key)
    },
    async set(key, value) {
      await change(key, () => write(key, value))
    },
    async update<Value>(key: string, toNext: (value: Value | undefined) => Value) {
      await change(key, () => {
        const next = toNext(kept(key))
        held.delete(key)
        write(key, next)
      })
    },
    async delete(key) {
      await change(key, () => database.run('delete from settings where key = ?', key))
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
