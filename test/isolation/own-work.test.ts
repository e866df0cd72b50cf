import type { Right } from '@filewright/protocol'
import { routeMethod, routePath, unwrap } from '@filewright/protocol'
import { createMemoryBlobs, createStores, IN_MEMORY, openDatabase } from '@filewright/server'
import { expect, test } from 'vitest'
import { type Embedded, embedded, TOKEN } from '../embedded.ts'
import { call, recorder, says, untilEnded } from '../loop/running.ts'

const FILES = { 'a.txt': 'one\ntwo\n' }
const EDIT = { path: 'a.txt', edits: [{ search: 'one', replace: 'ONE' }] }
const CREATE = { path: 'b.txt', content: 'b\n', reason: 'asked for' }

async function withTokens(product: Embedded) {
  const { server, workspaceId, sessionId } = product
  const tokenOf = async (name: string, rights: readonly Right[]) =>
    unwrap(
      await server.handle(TOKEN, 'createToken', {
        body: { name, rights, workspaces: [workspaceId] },
      }),
    ).token
  const by = (token: string) => ({
    call: (tool: string, args: unknown, approve?: 'ask' | 'rules' | 'all') =>
      server.handle(token, 'callTool', {
        params: { workspaceId, sessionId },
        body: { tool, arguments: args, approve },
      }),
    decide: (approvalId: string, more: { remember?: 'always' } = {}) =>
      server.handle(token, 'decide', {
        params: { workspaceId, approvalId },
        body: { decision: 'approved', by: 'somebody else', ...more },
      }),
    publish: (body: object = {}) =>
      server.handle(token, 'publish', { params: { workspaceId }, body }),
    rule: (effect: 'write' | 'deny') =>
      server.handle(token, 'addRule', { params: { workspaceId }, body: { effect } }),
    send: (approve?: 'all' | 'rules') =>
      server.handle(token, 'sendMessage', {
        params: { workspaceId, sessionId },
        body: { text: 'Do it.', approve },
      }),
  })
  return {
    editor: by(await tokenOf('editor', ['edit'])),
    both: by(await tokenOf('both', ['edit', 'approve'])),
    approver: by(await tokenOf('approver', ['approve'])),
    owner: by(TOKEN),
  }
}

const denied = (about: string) => ({
  ok: false,
  failure: { code: 'DENIED', kind: 'denied', message: expect.stringContaining(about) },
})

test('who asked for a write does not approve it, and the log names who did', async () => {
  const product = await embedded(FILES)
  const { editor, both, approver } = await withTokens(product)
  const asked = unwrap(await both.call('workspace_create_file', CREATE))
  const { approvalId } = asked as { approvalId: string }
  expect(asked).toMatchObject({ pending: true })
  expect(await both.decide(approvalId)).toMatchObject(denied('their own work'))
  expect(await editor.decide(approvalId)).toMatchObject(denied('right to approve'))
  expect(await approver.decide('apr_unknown')).toMatchObject({ failure: { code: 'NOT_FOUND' } })
  expect(() => product.read('b.txt')).toThrow()
  expect(await approver.decide(approvalId)).toMatchObject({ ok: true })
  expect(product.read('b.txt')).toBe('b\n')
  const rows = await product.stores.log.read(product.sessionId as never)
  expect(rows.map(({ body }) => body).filter(({ type }) => type === 'decision')).toMatchObject([
    { by: 'approver' },
  ])
})

test('who worked on a draft does not publish it, and whoever does publishes what they saw', async () => {
  const product = await embedded(FILES)
  const { editor, both, approver } = await withTokens(product)
  expect(unwrap(await both.call('edit_text_file', EDIT))).toMatchObject({ success: true })
  expect(await both.publish()).toMatchObject(denied('their own work'))
  expect(await editor.publish()).toMatchObject(denied('right to approve'))
  expect(await approver.publish({ revision: 99 })).toMatchObject({ failure: { code: 'CONFLICT' } })
  expect(product.read('a.txt')).toBe(FILES['a.txt'])
  expect(await approver.publish()).toMatchObject({ ok: true })
  expect(product.read('a.txt')).toBe('ONE\ntwo\n')
})

test('a token says yes to nothing of its own: by a word, by a rule or by remembering', async () => {
  const product = await embedded(FILES)
  const { editor, both, approver } = await withTokens(product)
  for (const one of [editor, both]) {
    expect(await one.call('workspace_create_file', CREATE, 'all')).toMatchObject(
      denied('its own work'),
    )
    expect(await one.send('all')).toMatchObject(denied('its own work'))
  }
  expect(await both.rule('write')).toMatchObject(denied('itself'))
  const { approvalId } = unwrap(await editor.call('workspace_create_file', CREATE)) as never
  expect(await both.decide(approvalId, { remember: 'always' })).toMatchObject(denied('itself'))
  expect(() => product.read('b.txt')).toThrow()
  expect(await both.rule('deny')).toMatchObject({ ok: true })
  expect(await approver.rule('write')).toMatchObject({ ok: true })
  expect(unwrap(await editor.call('list_files', {}, 'all'))).toMatchObject({ success: true })
})

test('who started a run does not approve what it proposes', async () => {
  const { model } = recorder([says('Writing.', call('edit_text_file', EDIT)), says('Done.')])
  const product = await embedded(FILES, { model })
  const { both, approver } = await withTokens(product)
  unwrap(await both.send())
  await untilEnded(product)
  expect(await both.publish()).toMatchObject(denied('their own work'))
  expect(await approver.publish()).toMatchObject({ ok: true })
  expect(product.read('a.txt')).toBe('ONE\ntwo\n')
})

test('one person on one machine decides about everything, and nothing is noted about it', async () => {
  const product = await embedded(FILES)
  const { owner } = await withTokens(product)
  expect(unwrap(await owner.call('workspace_create_file', CREATE, 'all'))).toMatchObject({
    success: true,
  })
  expect(unwrap(await owner.call('edit_text_file', EDIT))).toMatchObject({ success: true })
  expect(await owner.publish()).toMatchObject({ ok: true })
  expect(await product.stores.settings.list('works/')).toEqual([])
})

test('where several instances serve the state, the owner of the token decides about others alone', async () => {
  const alone = createStores(unwrap(await openDatabase(IN_MEMORY)), createMemoryBlobs())
  const nowhere = async () => undefined
  const homes = {
    announce: nowhere,
    settle: nowhere,
    leave: nowhere,
    elsewhere: nowhere,
    isUp: () => true,
    retire: nowhere,
  }
  const product = await embedded(FILES, { stores: { ...alone, homes } })
  const { owner, editor, approver } = await withTokens(product)
  expect(await owner.call('workspace_create_file', CREATE, 'all')).toMatchObject(
    denied('its own work'),
  )
  unwrap(await owner.call('edit_text_file', EDIT))
  expect(await owner.publish()).toMatchObject(denied('their own work'))
  expect(await approver.publish()).toMatchObject({ ok: true })
  const { approvalId } = unwrap(await editor.call('workspace_create_file', CREATE)) as never
  expect(await owner.decide(approvalId)).toMatchObject(denied('their own work')) // it works in that session
  expect(await approver.decide(approvalId)).toMatchObject({ ok: true })
})

test('an open stream ends when its token is revoked', async () => {
  const product = await embedded(FILES)
  const { server, workspaceId, sessionId } = product
  const body = { name: 'watcher', rights: ['read' as const], workspaces: [workspaceId] }
  const made = unwrap(await server.handle(TOKEN, 'createToken', { body }))
  const listen = (token: string) =>
    server.fetch(
      new Request(`http://localhost${routePath('events', { workspaceId, sessionId })}`, {
        method: routeMethod('events'),
        headers: { authorization: `Bearer ${token}` },
      }),
    )
  const [theirs, owners] = [await listen(made.token), await listen(TOKEN)]
  expect([theirs.status, owners.status]).toEqual([200, 200])
  const ended = untilEnd(theirs)
  await product.call('list_files', {})
  unwrap(await server.handle(TOKEN, 'revokeToken', { params: { tokenId: made.tokenId } }))
  expect(await ended).toContain('list_files')
  expect((await listen(made.token)).status).toBe(401)
  await owners.body?.cancel()
})

async function untilEnd({ body }: Response): Promise<string> {
  let text = ''
  for await (const piece of body!) text += Buffer.from(piece as Uint8Array).toString()
  return text
}
