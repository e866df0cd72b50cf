import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §6 draft changed in order',
  'an edit that a call reports is published, even when a person publishes at the same time',
  async () => {
    const product = await embedded()
    const names = Array.from({ length: 40 }, (_, index) => `n${index}.txt`)
    const writes = names.map(async (path, index) => {
      if (index % 8 === 0) await product.ask('publish')
      return product.call('write_text_file', { path, content: `${path}\n` })
    })

    for (const written of await Promise.all(writes))
      expect(written).toMatchObject({ success: true })
    await product.ask('publish')
    expect(names.filter(name => !existsSync(join(product.dir, name)))).toEqual([])
    const { value: drafts } = await product.ask('listDrafts')
    expect(drafts.every(({ state }: { state: string }) => state === 'published')).toBe(true)
    expect(product.logged.filter(({ event }) => event === 'client error')).toEqual([])
  },
)

verifies(
  'CONTRACT §6 draft changed in order',
  'when faces publish and discard at the same time one succeeds, and the others learn of it',
  async () => {
    const product = await embedded()
    const { draftId } = await product.call('write_text_file', { path: 'a.txt', content: 'one\n' })
    const answers = await Promise.all(
      (['discard', 'publish', 'discard', 'publish'] as const).map(route =>
        product.ask(route, { body: { draftId } }),
      ),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const { value: drafts } = await product.ask('listDrafts')
    expect(drafts).toHaveLength(1)
  },
)

test('a call that waits for a person is denied, not discarded: it has its one result', async () => {
  const product = await embedded()
  const waiting = await product.call(
    'workspace_create_file',
    { path: 'a.txt', content: 'one\n' },
    { approve: 'ask' },
  )
  const { value: drafts } = await product.ask('listDrafts')
  const { status, value } = await product.ask('discard', { body: { draftId: drafts[0].id } })

  expect(status).toBe(400)
  expect(value.message).toContain(`filewright approvals deny ${waiting.approvalId}`)
  await product.ask('decide', {
    params: { approvalId: waiting.approvalId },
    body: { decision: 'denied' },
  })
  const { value: ended } = await product.ask('getCall', {
    params: { sessionId: product.sessionId, toolCallId: waiting.toolCallId },
  })
  expect(ended).toMatchObject({ success: false, errorCode: 'DENIED' })
})

test('an approval of a session that was deleted cannot be given any more', async () => {
  const product = await embedded()
  const { approvalId } = await product.call(
    'workspace_create_file',
    { path: 'a.txt', content: 'one\n' },
    { approve: 'ask' },
  )
  const params = { sessionId: product.sessionId, approvalId }
  await product.ask('deleteSession', { params, query: { discard: 'true' } })

  const approved = await product.ask('decide', { params, body: { decision: 'approved' } })
  expect(approved.status).toBe(409)
  expect(approved.value.message).toContain('was already denied by a person')
  expect(existsSync(join(product.dir, 'a.txt'))).toBe(false)
})
