import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { tempFolder } from '../testing/temp-folder.ts'
import { openStores } from './stores.ts'

test('settings outlive the process, and are listed by prefix', async () => {
  const folder = tempFolder()
  const before = unwrap(await openStores(folder))
  await before.settings.set('token/a', { hash: '1' })
  await before.settings.set('token/b', { hash: '2' })
  await before.settings.set('token/a', { hash: '3' })
  await before.settings.set('notice%', true)
  await before.settings.delete('token/b')
  await before.close()

  const { settings, close } = unwrap(await openStores(folder))
  expect(await settings.get('token/a')).toEqual({ hash: '3' })
  expect(await settings.get('token/b')).toBeUndefined()
  expect(await settings.list('token/')).toEqual([{ key: 'token/a', value: { hash: '3' } }])
  expect(await settings.list('notice%')).toEqual([{ key: 'notice%', value: true }])
  await close()
})
