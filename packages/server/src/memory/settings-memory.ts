import type { Settings } from '../store/settings.ts'

/** The same contract without a disk, for tests. */
export function createMemorySettings(): Settings {
  const texts = new Map<string, string>()

  function read<Value>(key: string): Value | undefined {
    const text = texts.get(key)
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  }

  return {
    async get<Value>(key: string) {
      return read<Value>(key)
    },
    async set(key, value) {
      texts.set(key, JSON.stringify(value))
    },
    async update<Value>(key: string, toNext: (value: Value | undefined) => Value) {
      texts.set(key, JSON.stringify(toNext(read(key))))
    },
    async delete(key) {
      texts.delete(key)
    },
    async list<Value>(prefix: string) {
      return [...texts.keys()]
        .filter(key => key.startsWith(prefix))
        .sort()
        .map(key => ({ key, value: read<Value>(key)! }))
    },
  }
}
