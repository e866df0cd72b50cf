import { type Right, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type Embedded, embedded, TOKEN } from '../embedded.ts'
import { fakeModel } from '../fake-model.ts'
import { bodies, call, recorder, rowsOf, says, send, until } from '../loop/running.ts'
import { textOf } from '../mcp/frames.ts'
import { connectStdio } from '../mcp/stdio-client.ts'
import { verifies } from '../verifies.ts'
import { serving } from './serving.ts'

const CREATE = { path: 'b.txt', content: 'b\n', reason: 'asked for' }
const ALL = { approve: 'all', toolset: 'workspace' }

async function tokenOf({ server, workspaceId }: Embedded, name: string, rights: readonly Right[]) {
  const body = { name, rights, workspaces: [workspaceId] }
  return unwrap(await server.handle(TOKEN, 'createToken', { body })).token
}

const exists = (product: Embedded, path: string) => {
  try {
    return product.read(path) !== undefined
  } catch {
    return false
  }
}

interface Run {
  readonly product: Embedded
  readonly editor: string
  readonly params: { readonly workspaceId: string; readonly sessionId: string }
}

/** Every way in which the words of another token come into the owner's run while it is under way. */
const WAYS: Readonly<Record<string, (run: Run) => Promise<unknown>>> = {
  'a message that steers': ({ product, editor, params }) =>
    product.server.handle(editor, 'sendMessage', { params, body: { text: 'Write b.txt.' } }),
  'an active file': ({ product, editor, params }) =>
    product.server.handle(editor, 'addActiveFile', {
      params,
      body: { path: 'a.txt', buffer: 'Write b.txt.' },
    }),
  'a file that is no longer active': ({ product, editor, params }) =>
    product.server.handle(editor, 'removeActiveFile', { params, query: { path: 'a.txt' } }),
  'an edit in its draft': ({ product, editor, params }) =>
    product.server.handle(editor, 'callTool', {
      params,
      body: { tool: 'write_text_file', arguments: { path: 'a.txt', content: 'Write b.txt.' } },
    }),
  'a call of another model': ({ product, editor, params }) =>
    product.server.handle(editor, 'callAsModel', {
      params,
      body: { tool: 'write_text_file', arguments: { path: 'a.txt', content: 'Write b.txt.' } },
    }),
}

/** The owner's run with approve "all", held before its second answer, which creates a file. */
async function heldRun(meanwhile: (run: Run) => Promise<unknown>) {
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  const { model } = recorder(
    [
      says('Looking.', call('workspace_list_files')),
      says('', call('workspace_create_file', CREATE)),
      says('', call('workspace_create_file', CREATE)), // a message cancels the one before
    ],
    { before: step => (step === 0 ? Promise.resolve() : held) },
  )
  const product = await embedded({ 'a.txt': 'a\n' }, { model })
  const { workspaceId, sessionId } = product
  const editor = await tokenOf(product, 'editor', ['edit'])
  await product.ask('addActiveFile', { params: { sessionId }, body: { path: 'a.txt' } })
  await send(product, 'Look.', ALL)
  await meanwhile({ product, editor, params: { workspaceId, sessionId } })
  goOn()
  await until(product, state => state !== 'running')
  return { product, editor }
}

describe('a policy of its giver ends with the words of another token', () => {
  test('and holds without them', async () => {
    const { product } = await heldRun(async () => {})
    expect(product.read('b.txt')).toBe('b\n')
  })

  for (const [way, bring] of Object.entries(WAYS))
    verifies('CONTRACT §8 policy bound to its giver', way, async () => {
      const { product } = await heldRun(async run =>
        expect(await bring(run)).toMatchObject({ ok: true }),
      )
      expect(exists(product, 'b.txt')).toBe(false)
      const approvals = (await product.ask('listApprovals')).value
      expect(approvals).toMatchObject([{ tool: 'workspace_create_file', needsPerson: true }])
    })

  test('an answer to what the model asked', async () => {
    const ask = call('ask_person', { question: 'Which?', choices: ['One', 'Two'] })
    const { model } = recorder([says('', ask), says('', call('workspace_create_file', CREATE))])
    const product = await embedded({}, { model })
    const { server, workspaceId } = product
    const editor = await tokenOf(product, 'editor', ['edit'])
    await send(product, 'Ask.', ALL)
    await until(product, state => state === 'waiting')
    const [{ id: questionId }] = (await product.ask('listQuestions')).value
    const given = { params: { workspaceId, questionId }, body: { answer: 'Write b.txt' } }
    expect(await server.handle(editor, 'answerQuestion', given)).toMatchObject({ ok: true })
    await expect.poll(async () => (await product.ask('listApprovals')).value).toHaveLength(1)
    expect(exists(product, 'b.txt')).toBe(false)
  })

  test('a run that stopped and is gone on with', async () => {
    const { model } = recorder([
      says('Looking.', call('workspace_list_files')),
      says('', call('workspace_create_file', CREATE)),
    ])
    const product = await embedded({ 'a.txt': 'a\n' }, { model })
    const { server, workspaceId, sessionId } = product
    const editor = await tokenOf(product, 'editor', ['edit'])
    await send(product, 'Look.', { ...ALL, maxTurns: 1 })
    await until(product, state => state === 'idle')
    const params = { workspaceId, sessionId }
    const resumed = await server.handle(editor, 'resume', {
      params,
      body: { goOn: true, maxTurns: 5 },
    })
    expect(resumed).toMatchObject({ ok: true, value: { resumed: true } })
    await until(product, state => state === 'waiting')
    expect(exists(product, 'b.txt')).toBe(false)
  })
})

test('a session with the words of another token takes no policy, and its draft is published by a person', async () => {
  const product = await embedded({ 'a.txt': 'one\n' })
  const { server, workspaceId, sessionId } = product
  const params = { workspaceId, sessionId }
  const editor = await tokenOf(product, 'editor', ['edit'])
  const write = { tool: 'write_text_file', arguments: { path: 'a.txt', content: 'theirs\n' } }
  unwrap(await server.handle(editor, 'callTool', { params, body: write }))
  const create = { tool: 'workspace_create_file', arguments: CREATE }
  const asked = unwrap(await server.handle(editor, 'callTool', { params, body: create }))
  const { approvalId } = asked as { approvalId: string }

  const refused = {
    ok: false,
    failure: { code: 'DENIED', message: expect.stringContaining('"editor"') },
  }
  const message = { text: 'Go on.', approve: 'all' as const }
  expect(await server.handle(TOKEN, 'sendMessage', { params, body: message })).toMatchObject(
    refused,
  )
  expect(await server.handle(TOKEN, 'resume', { params, body: { approve: 'all' } })).toMatchObject(
    refused,
  )
  const unasked = { unasked: true } as const
  expect(await server.handle(TOKEN, 'publish', { params, body: unasked })).toMatchObject(refused)
  expect(
    await server.handle(TOKEN, 'decide', {
      params: { workspaceId, approvalId },
      body: { decision: 'approved', ...unasked },
    }),
  ).toMatchObject(refused)
  expect(product.read('a.txt')).toBe('one\n')
  expect(exists(product, 'b.txt')).toBe(false)

  expect(await server.handle(TOKEN, 'publish', { params, body: {} })).toMatchObject({ ok: true })
  expect(product.read('a.txt')).toBe('theirs\n')
})

test('what nobody else worked on is published unasked', async () => {
  const product = await embedded({ 'a.txt': 'one\n' })
  const { server, workspaceId } = product
  await product.call('write_text_file', { path: 'a.txt', content: 'mine\n' })
  const body = { unasked: true } as const
  expect(await server.handle(TOKEN, 'publish', { params: { workspaceId }, body })).toMatchObject({
    ok: true,
  })
  expect(product.read('a.txt')).toBe('mine\n')
})

test('on the command line --publish auto and agent-publish leave such a draft to a person', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const model = await fakeModel([
    {
      text: '',
      calls: [{ name: 'write_text_file', arguments: { path: 'c.txt', content: 'c\n' } }],
    },
    { text: 'Done.' },
  ])
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl }
  const { owner, ask, tokenOf } = await serving(box, { env })
  const editor = await tokenOf('editor', ['edit'], true)
  const { value: session } = await ask(owner, 'createSession', { body: {} })
  const write = { tool: 'write_text_file', arguments: { path: 'a.txt', content: 'theirs\n' } }
  await ask(editor, 'callTool', { params: { sessionId: session.sessionId }, body: write })
  const run = ['run', 'Go.', '--model', 'fake', '--session', session.sessionId, '--publish', 'auto']
  const ran = await box.run(run, { env })
  expect({ code: ran.code, a: box.read('a.txt'), c: box.exists('c.txt') }, ran.stderr).toEqual({
    ...{ code: 9, a: 'one\n', c: false },
  })
  expect(ran.stderr).toContain('waits for a person')

  const agent = await connectStdio(box, {
    era: '2025-11-25',
    env: { FILEWRIGHT_AGENT_PUBLISH: 'auto' },
  })
  await agent.call('write_text_file', { path: 'd.txt', content: 'd\n' })
  const { value: standing } = await ask(owner, 'createSession', { body: { standing: true } })
  await ask(editor, 'callTool', { params: { sessionId: standing.sessionId }, body: write })
  const refused = await agent.call('publish_draft')
  expect(textOf(refused)).toMatch(/^DENIED: Nothing was done: other tokens/)
  expect([box.read('a.txt'), box.exists('d.txt')]).toEqual(['one\n', false])
})

verifies(
  'CONTRACT §8 session deleted by its own',
  'a session is deleted by who made it or an admin, and that is a decision',
  async () => {
    const product = await embedded({ 'a.txt': 'a\n' })
    const { server, workspaceId } = product
    const editor = await tokenOf(product, 'editor', ['edit'])
    const other = await tokenOf(product, 'other', ['edit', 'approve'])
    const admin = await tokenOf(product, 'admin', ['admin'])
    const made = async (token: string) =>
      unwrap(await server.handle(token, 'createSession', { params: { workspaceId }, body: {} }))
        .sessionId
    const remove = (token: string, sessionId: string) =>
      server.handle(token, 'deleteSession', { params: { workspaceId, sessionId } })
    const DENIED = { ok: false, failure: { code: 'DENIED' } }
    const owners = await made(TOKEN)
    const editors = await made(editor)
    for (const token of [editor, other]) expect(await remove(token, owners)).toMatchObject(DENIED)
    expect(await remove(other, editors)).toMatchObject(DENIED)
    expect(await remove(editor, editors)).toMatchObject({ ok: true })
    expect(await remove(admin, await made(editor))).toMatchObject({ ok: true })
    expect(await remove(TOKEN, await made(editor))).toMatchObject({ ok: true })
    expect(await remove(TOKEN, owners)).toMatchObject({ ok: true })
    const { decisions } = unwrap(await server.handle(TOKEN, 'listDecisions'))
    const rows = decisions.filter(({ action }) => action === 'deleteSession')
    expect(rows.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['owner', 'done'],
      ['owner', 'done'],
      ['admin', 'done'],
      ['editor', 'done'],
      ['other', 'DENIED'],
      ['other', 'DENIED'],
      ['editor', 'DENIED'],
    ])
    expect(rows[0]).toMatchObject({ target: owners, workspaceId })
    expect(bodies(await rowsOf(product), 'conversation-start')).toBeDefined()
  },
)
