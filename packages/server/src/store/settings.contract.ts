import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from './settings.ts'

/** What every store of settings does. `make` gives a new, empty one. */
export function settingsContract(name: string, make: () => Promise<Settings>): void {
  describe(name, () => {
    let settings: Settings
    beforeEach(async () => {
      settings = await make()
    })

    test('a value is kept as JSON under its key until it is replaced or deleted', async () => {
      const value = { hash: '1', times: [1, 2] }
      await settings.set('token/a', value)
      value.times.push(3)
      expect(await settings.get('token/a')).toEqual({ hash: '1', times: [1, 2] })
      await settings.set('token/a', null)
      expect(await settings.get('token/a')).toBeNull()
      await settings.delete('token/a')
      await settings.delete('token/a')
      expect(await settings.get('token/a')).toBeUndefined()
    })

    test('keys are listed by prefix, in order, each character literal', async () => {
      for (const key of ['token/b', 'token/a', 'notice%', 'notices', 'tokens'])
        await settings.set(key, key)
      expect(await settings.list('token/')).toEqual([
        { key: 'token/a', value: 'token/a' },
        { key: 'token/b', value: 'token/b' },
      ])
      expect(await settings.list('notice%')).toEqual([{ key: 'notice%', value: 'notice%' }])
      expect(await settings.list('none')).toEqual([])
    })

    test('of many updates at once none is lost', async () => {
      const increment = (count: number | undefined) => (count ?? 0) + 1
      await Promise.all(Array.from({ length: 20 }, () => settings.update('count', increment)))
      expect(await settings.get('count')).toBe(20)
    })
  })
}
