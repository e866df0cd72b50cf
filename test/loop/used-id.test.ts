import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { rowsOf } from './running.ts'

test('a write that is sent again while its client is away is neither run nor written down again', async () => {
  const product = await embedded()
  const write = () =>
    product.call(
      'workspace_create_file',
      { path: 'a.txt', content: 'one\n' },
      { toolCallId: 'mine', approve: 'all' },
    )
  expect(await write()).toMatchObject({ success: true })
  const before = await rowsOf(product)
  await product.detach()
  expect(await write()).toMatchObject({ errorCode: 'CLIENT_GONE', kind: 'unavailable' })
  expect(await rowsOf(product)).toEqual(before)
  await product.attach()
  expect(await write()).toMatchObject({ success: true })
  expect(await rowsOf(product)).toEqual(before)
})
