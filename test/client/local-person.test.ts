import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalQuestion, openDiskWorkspace } from '@filewright/client'
import { unwrap } from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { served } from './served.ts'
import { startOwnClient } from './start-own-client.ts'

/** A folder offered to a real server, with a person at this end who answers as told. */
async function offered(answers: ('yes' | 'no' | 'later')[]) {
  const root = mkdtempSync(join(tmpdir(), 'filewright-person-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  const dir = join(root, 'files')
  const stateRoot = join(root, 'state')
  mkdirSync(dir)
  writeFileSync(join(dir, 'a.txt'), 'one\n')
  const server = await served()
  const questions: LocalQuestion[] = []
  const client = await startOwnClient(server, {
    workspace: unwrap(await openDiskWorkspace(dir)),
    stateRoot,
    person: {
      name: 'anna',
      writes: 'ask',
      rules: [],
      async ask(question) {
        questions.push(question)
        return answers.shift() ?? 'later'
      },
    },
  })
  onTestFinished(() => client.close())
  const { workspaceId } = client
  const session = await server.ask('createSession', { params: { workspaceId } })
  const params = { workspaceId, sessionId: session.value.sessionId }
  const call = async (tool: string, args: unknown) =>
    (await server.ask('callTool', { params, body: { tool, arguments: args, approve: 'all' } }))
      .value
  const read = () => readFileSync(join(dir, 'a.txt'), 'utf8')
  return { server, params, call, read, questions }
}

const overwrite = { path: 'a.txt', content: 'two\n', overwrite: true }

verifies(
  'CONTRACT §9 attach --yes',
  'the person at this machine is asked, and the server learns the outcome',
  async () => {
    const { server, params, call, read, questions } = await offered(['yes'])
    const pending = await call('workspace_create_file', overwrite)
    expect(pending).toMatchObject({ pending: true })
    await expect.poll(read, PATIENCE).toBe('two\n')
    expect(questions).toMatchObject([{ title: expect.stringContaining('a.txt') }])
    expect(questions[0]!.diffs[0]!.diff).toContain('+two')
    const state = () => server.ask('getCall', { params: { ...params, ...pending } })
    await expect.poll(async () => (await state()).value.success, PATIENCE).toBe(true)
    const all = await server.ask('listApprovals', { params, query: { all: 'true' } })
    expect(all.value).toMatchObject([{ state: 'approved' }])
  },
)

test('a no at this machine is a no, and a later decides nothing', async () => {
  const { server, params, call, read } = await offered(['no', 'later'])
  const refused = await call('workspace_create_file', overwrite)
  const open = await call('workspace_create_file', overwrite)
  const list = () => server.ask('listApprovals', { params, query: { all: 'true' } })
  const states = async () =>
    Object.fromEntries((await list()).value.map((each: { id: string }) => [each.id, each]))
  await expect.poll(async () => (await states())[refused.approvalId].state, PATIENCE).toBe('denied')
  expect((await states())[open.approvalId].state).toBe('open')
  const decided = await server.ask('decide', {
    params: { ...params, approvalId: open.approvalId },
    body: { decision: 'approved' },
  })
  expect(decided.value).toMatchObject({ errorCode: 'DENIED' })
  expect(read()).toBe('one\n')
})

test('a draft is published after a yes here, and taken back after another', async () => {
  const { server, params, call, read, questions } = await offered(['no', 'yes', 'no', 'yes'])
  await call('write_text_file', { path: 'a.txt', content: 'two\n' })
  const publish = () => server.ask('publish', { params, body: {} })
  expect((await publish()).value).toMatchObject({ errorCode: 'DENIED' })
  expect(read()).toBe('one\n')
  expect((await publish()).value).toMatchObject({ files: [{ path: 'a.txt' }] })
  expect(questions[1]!.changes).toHaveLength(1)
  const undo = () => server.ask('undo', { params, body: {} })
  expect((await undo()).value).toMatchObject({ errorCode: 'DENIED' })
  expect(read()).toBe('two\n')
  await undo()
  expect(read()).toBe('one\n')
})
