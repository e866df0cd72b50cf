import type { JournalLine, Review } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { createMemoryBlobs, createStores, IN_MEMORY, openDatabase } from '@filewright/server'
import { describe, expect, test } from 'vitest'
import { edit } from '../drafts/draft-calls.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'

/** The server dies whenever it is about to tell a session what a person did. */
async function mortal() {
  const stores = createStores(unwrap(await openDatabase(IN_MEMORY)), createMemoryBlobs())
  const server = { isDead: false }
  const putInbox: typeof stores.log.putInbox = (...given) =>
    server.isDead ? Promise.reject(new Error('killed')) : stores.log.putInbox(...given)
  const log = new Proxy(stores.log, {
    get: (target, name) => (name === 'putInbox' ? putInbox : Reflect.get(target, name)),
  })
  const product = await embedded({ 'a.txt': 'one\ntwo\n' }, { stores: { ...stores, log } })
  return { product, server }
}

async function rows(product: Embedded) {
  const all = await product.stores.log.read(product.sessionId as never)
  return all.flatMap(({ body }) => (body.type === 'draft' ? [body] : [])) satisfies JournalLine[]
}

describe('the server dies before the row of what a person did with a draft', () => {
  test.each([
    ['published', ['publish']],
    ['discarded', ['discard']],
    ['undone', ['publish', 'undo']],
    ['redone', ['publish', 'undo', 'redo']],
  ] as const)(
    'the row that it was %s is written when the client is back',
    async (action, deeds) => {
      const { product, server } = await mortal()
      await edit(product, 'a.txt', 'one', 'ONE')
      for (const deed of deeds.slice(0, -1)) await product.ask(deed, { body: {} })
      const before = await rows(product)
      server.isDead = true
      expect((await product.ask(deeds.at(-1)!, { body: {} })).status).toBe(200)
      expect(await rows(product)).toEqual(before)
      server.isDead = false
      await product.detach()
      await product.attach()
      await expect.poll(() => rows(product), PATIENCE).toHaveLength(before.length + 1)
      expect((await rows(product)).at(-1)).toMatchObject({ action, files: 1, paths: ['a.txt'] })
      await product.detach()
      await product.attach()
      await product.ask('review')
      expect(await rows(product)).toHaveLength(before.length + 1)
    },
  )

  test('so is that of a published part, with what was refused and what stays', async () => {
    const { product, server } = await mortal()
    for (const [from, to] of [
      ['one', 'ONE'],
      ['two', 'TWO'],
    ] as const)
      await edit(product, 'a.txt', from, to)
    const { value } = await product.ask<Review>('review')
    server.isDead = true
    await product.ask('publish', { body: { only: [value.changes[0]!.id] } })
    server.isDead = false
    await product.detach()
    await product.attach()
    await expect.poll(() => rows(product), PATIENCE).toHaveLength(1)
    expect(await rows(product)).toMatchObject([{ action: 'published', undecided: 1 }])
  })
})
