import { openMemoryStores } from '@filewright/server'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { call, recorder, runTo, says, send, until } from './running.ts'

test('a write has no effect before the row of its call is on the disk', async () => {
  const stores = await openMemoryStores()
  let release = () => {}
  const synced = new Promise<void>(resolve => {
    release = resolve
  })
  const slow = {
    ...stores,
    log: {
      ...stores.log,
      appendNow: (...given: Parameters<typeof stores.log.appendNow>) => {
        const appending = stores.log.appendNow(...given)
        const isCall = appending.rows.some(({ type }) => type === 'call-start')
        return isCall ? { ...appending, kept: synced.then(() => appending.kept) } : appending
      },
    },
  }
  const { model } = recorder([
    says('', call('write_text_file', { path: 'new.txt', content: 'x\n' })),
    says('Done.'),
  ])
  const product = await embedded({}, { model, stores: slow })
  await send(product, 'Write it.')
  await until(product, state => state === 'running')
  await new Promise(resolve => setTimeout(resolve, 100))
  expect((await product.ask('listDrafts')).value).toEqual([])
  release()
  await until(product, state => state === 'idle')
  expect((await product.ask('listDrafts')).value).toMatchObject([{ files: [{ path: 'new.txt' }] }])
})

test('a write whose row the disk refuses has no effect at all', async () => {
  const stores = await openMemoryStores()
  const full = {
    ...stores,
    log: {
      ...stores.log,
      appendNow: (...given: Parameters<typeof stores.log.appendNow>) => {
        const appending = stores.log.appendNow(...given)
        if (!appending.rows.some(({ type }) => type === 'call-start')) return appending
        const kept = new Promise<never>((_, reject) =>
          setTimeout(() => reject(new Error('the disk is full')), 50),
        )
        return { ...appending, kept }
      },
    },
  }
  const { model, requests } = recorder([
    says('', call('write_text_file', { path: 'new.txt', content: 'x\n' })),
    says('Done.'),
  ])
  const product = await embedded({}, { model, stores: full })
  await send(product, 'Write it.')
  await expect.poll(() => requests.length).toBeGreaterThan(0)
  await new Promise(resolve => setTimeout(resolve, 300)) // as long as the whole call would take
  expect((await product.ask('listDrafts')).value).toEqual([])
  expect(requests).toHaveLength(1)
})

test('the draft is there when the result is', async () => {
  const { model } = recorder([
    says('', call('write_text_file', { path: 'new.txt', content: 'x\n' })),
    says('Done.'),
  ])
  const product = await embedded({}, { model })
  const { end } = await runTo(product, 'Write it.')
  expect(end.closing).toMatch(/^1 file in the draft/)
})
