import { existsSync } from 'node:fs'
import { createMemoryState } from '@filewright/client'
import { expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'

test('drafts, publishes, undo, approvals and rules need no folder of the client', async () => {
  const product = await embedded({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, { state: createMemoryState() })
  await product.call('write_text_file', { path: 'a.txt', content: 'drafted\n' })
  await product.ask('addRule', { body: { effect: 'deny', path: 'secret/**' } })
  const asked = await create(product, 'new.txt', 'ask')
  await restart(product)

  expect((await product.ask('listDrafts')).value).toMatchObject([
    { purpose: 'workshop', files: [{ path: 'a.txt' }] },
    { purpose: 'one-call', files: [{ path: 'new.txt' }] },
  ])
  await product.ask('publish', { body: {} })
  expect(product.read('a.txt')).toBe('drafted\n')
  const { approvalId } = asked
  await product.ask('decide', { params: { approvalId }, body: { decision: 'approved' } })
  expect(product.read('new.txt')).toBe('new\n')
  expect((await create(product, 'secret/x.txt', 'rules')).kind).toBe('denied')
  await restart(product)

  expect((await product.ask('undo', { body: {} })).status).toBe(200)
  expect((await product.ask('undo', { body: {} })).status).toBe(200)
  expect([product.read('a.txt'), existsSync(`${product.dir}/new.txt`)]).toEqual(['a\n', false])
  expect(existsSync(product.stateRoot)).toBe(false)
})

async function restart(product: Embedded) {
  await product.detach()
  await product.attach()
}

function create(product: Embedded, path: string, approve: 'ask' | 'rules') {
  return product.call('workspace_create_file', { path, content: 'new\n' }, { approve })
}
