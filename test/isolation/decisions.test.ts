import { RIGHTS, type Right, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { embedded, TOKEN } from '../embedded.ts'
import { startIsolated } from './personas.ts'

test('who decided what, and when, is kept before it is done, with how it ended', async () => {
  const product = await embedded({ 'a.txt': 'one\n' })
  const { server, workspaceId } = product
  const tokenOf = async (name: string, rights: readonly Right[]) => {
    const body = { name, rights, workspaces: [workspaceId] }
    return unwrap(await server.handle(TOKEN, 'createToken', { body }))
  }
  const anna = await tokenOf('anna', ['approve'])
  await product.call('edit_text_file', {
    path: 'a.txt',
    edits: [{ search: 'one', replace: 'two' }],
  })
  const create = { path: 'b.txt', content: 'b\n', reason: 'asked for' }
  const { approvalId } = await product.call('workspace_create_file', create, { approve: 'ask' })
  const params = { workspaceId }
  const decided = { decision: 'denied', reason: 'no', by: 'the queen' } as const
  unwrap(
    await server.handle(anna.token, 'decide', { params: { ...params, approvalId }, body: decided }),
  )
  const published = unwrap(await server.handle(anna.token, 'publish', { params, body: {} }))
  await server.handle(anna.token, 'undo', { params, body: { changeSetId: 'cs_none' } })
  unwrap(await server.handle(TOKEN, 'revokeToken', { params: { tokenId: anna.tokenId } }))

  const { decisions } = unwrap(await server.handle(TOKEN, 'listDecisions'))
  const own = { tokenId: anna.tokenId, name: 'anna', workspaceId }
  expect(decisions).toMatchObject([
    { action: 'revokeToken', name: 'owner', target: anna.tokenId, outcome: 'done' },
    { ...own, action: 'undo', target: 'cs_none', outcome: expect.stringMatching(/^[A-Z_]+$/) },
    { ...own, action: 'publish', outcome: 'done', result: published.changeSetId },
    { ...own, action: 'decide', target: approvalId, details: { decision: 'denied', reason: 'no' } },
    { action: 'createToken', target: 'anna', outcome: 'done', result: anna.tokenId },
  ])
  for (const { time } of decisions) expect(Date.parse(time)).not.toBeNaN()
  expect(JSON.stringify(decisions)).not.toContain(anna.token)
  const rows = await product.stores.log.read(product.sessionId as never)
  expect(rows.find(({ type }) => type === 'decision')!.body).toMatchObject({ by: 'anna' })
})

test('an admin reads the decisions of their workspaces, page by page, and no others', async () => {
  const { ask, tokenOf, workspaceOf } = await startIsolated()
  const [here, there] = [await workspaceOf('here'), await workspaceOf('there')]
  const ofHere = { name: 'here', rights: RIGHTS, workspaces: [here] }
  const { token } = await tokenOf(ofHere)
  for (const workspaceId of [here, there, here])
    await ask('undo', 'the-token-of-the-server-itself', { params: { workspaceId } })
  const read = async (query: Record<string, string> = {}) => {
    const { status, value } = await ask('listDecisions', token, { query })
    return { status, ...value }
  }
  const all = await read()
  expect(all.decisions).toMatchObject([
    { action: 'undo', workspaceId: here, outcome: 'CLIENT_GONE' },
    { action: 'undo', workspaceId: here },
  ])
  expect(await read({ workspace: there })).toMatchObject({ status: 404 })
  const first = await read({ limit: '1' })
  expect(first.decisions).toEqual([all.decisions[0]])
  expect((await read({ before: String(first.next) })).decisions).toEqual([all.decisions[1]])
})
