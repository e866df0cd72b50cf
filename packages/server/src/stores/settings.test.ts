import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { settingsContract } from '../store/settings.contract.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { openMemoryStores, openStores } from './stores.ts'

const root = tempFolder()
let count = 0

settingsContract('settings in memory', async () => (await openMemoryStores()).settings)
settingsContract(
  'settings on disk',
  async () => unwrap(await openStores(join(root, `${count++}`))).settings,
)

test('settings outlive the process', async () => {
  const folder = tempFolder()
  const before = unwrap(await openStores(folder))
  await before.settings.set('token/a', { hash: '1' })
  await before.settings.set('token/b', { hash: '2' })
  await before.settings.delete('token/b')
  await before.close()

  const { settings, close } = unwrap(await openStores(folder))
  expect(await settings.list('token/')).toEqual([{ key: 'token/a', value: { hash: '1' } }])
  await close()
})
