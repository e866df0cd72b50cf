import { routePath } from '@filewright/protocol'
import { expect, test, vi } from 'vitest'
import type { Answer } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { attachScripted, done, type Script } from './scripted-client.ts'
import { served } from './served.ts'

const CREATE = 'workspace_create_file'

/** Records how its calls ended; `until` delays them. */
function creating(until: Promise<void> = Promise.resolve()): Script {
  const ended = new Map<string, unknown>()
  return {
    'tool-state': ({ toolCallId }) => done(ended.get(toolCallId) ?? null),
    async 'tool-call'({ turn }: Answer) {
      await until
      const [{ toolCallId, argumentsJson }] = turn.toolCalls
      const { path } = JSON.parse(argumentsJson)
      const state = { outcome: { envelope: { success: true, message: 'File created.', path } } }
      ended.set(toolCallId, state)
      return done(state)
    },
  }
}

test('another call under the id of one in progress is refused, and the same one learns how it ended', async () => {
  const server = await served()
  let goOn = () => {}
  const client = await attachScripted(server, creating(new Promise(resolve => (goOn = resolve))))
  const send = (path: string) => client.call(CREATE, { path, content: 'x' }, { toolCallId: 'mine' })
  const first = send('a.txt')
  await vi.waitFor(() => expect(client.asked).toContain('tool-call'), PATIENCE)
  const others = [send('a.txt'), send('b.txt')]
  await new Promise(resolve => setTimeout(resolve, 50))
  goOn()
  const [same, other] = await Promise.all(others)
  expect(same!.value).toEqual((await first).value)
  expect(other).toMatchObject({ status: 409, value: { errorCode: 'CONFLICT' } })
  expect(client.asked.filter(method => method === 'tool-call')).toHaveLength(1)
})

test('a finished call, sent again while its client is away, is not reported as failed and gets no second row', async () => {
  const server = await served()
  const client = await attachScripted(server, creating())
  const { workspaceId, sessionId } = client
  const send = () => client.call(CREATE, { path: 'a.txt', content: 'x' }, { toolCallId: 'mine' })
  expect((await send()).value).toMatchObject({ success: true })
  await client.goAway()
  const state = server.ask('getCall', { params: { workspaceId, sessionId, toolCallId: 'mine' } })
  for (const answered of [await send(), await state])
    expect(answered).toMatchObject({ status: 503, value: { errorCode: 'CLIENT_GONE' } })
  const { rows } = (await server.ask('log', { params: { workspaceId, sessionId } })).value
  expect(rows.map(({ type }: Answer) => type)).toEqual(['call-start', 'tool_result'])
})

test('a client that leaves in the middle of a call is not reported as having done nothing', async () => {
  const server = await served()
  const client = await attachScripted(server, creating(new Promise(() => {})))
  const sent = client.call(CREATE, { path: 'a.txt', content: 'x' })
  await vi.waitFor(() => expect(client.asked).toContain('tool-call'), PATIENCE)
  await client.goAway()
  expect((await sent).value).toMatchObject({
    errorCode: 'CLIENT_GONE',
    message: expect.stringContaining('it is unknown whether workspace_create_file took effect'),
  })
  const again = await client.call(CREATE, { path: 'a.txt', content: 'x' })
  expect(again.value.message).toContain('is not attached')
})

test('a session of a client that keeps no drafts can be deleted', async () => {
  const server = await served()
  const { workspaceId, sessionId } = await attachScripted(server, {})
  const params = { workspaceId, sessionId }
  expect(await server.ask('deleteSession', { params })).toMatchObject({ status: 200 })
  expect(await server.ask('getSession', { params })).toMatchObject({ status: 404 })
})

test('a listener of a session gets its end when it is deleted', async () => {
  const server = await served()
  const { workspaceId, sessionId } = await attachScripted(server, {})
  const params = { workspaceId, sessionId }
  const stream = await fetch(server.direct + routePath('events', params), {
    headers: { authorization: `Bearer ${server.token}` },
  })
  await server.ask('deleteSession', { params })
  expect(await stream.text()).toBe(': open\n\n')
})

test('an invalid answer of a client is reported as its error, and leaves over no route', async () => {
  const server = await served()
  let given: unknown
  const say = () => done(given)
  const client = await attachScripted(server, {
    ...{ files: say, source: say, 'draft-list': say, 'draft-review': say },
    ...{ 'approval-list': say, 'rule-list': say, undo: say },
  })
  const params = { workspaceId: client.workspaceId }
  const file = { path: 'a', docPath: 'a', sizeBytes: 1, modified: '', version: null }
  const nonsense = [
    ...[undefined, null, 'x', {}, [{}], { path: 1 }, { files: [{}], total: 1, next: null }],
    ...[
      { files: [file], total: -1, next: null },
      { files: [file], total: 1, next: 5 },
    ],
  ]
  for (given of nonsense)
    for (const route of [
      'listFiles',
      'listDrafts',
      'review',
      'listApprovals',
      'listRules',
    ] as const)
      expect(
        await server.ask(route, { params }),
        `${route} ${JSON.stringify(given)}`,
      ).toMatchObject({
        status: 500,
        value: {
          kind: 'internal',
          message: expect.stringContaining('The client of this workspace'),
        },
      })
  given = { files: [{ ...file, sizeBytes: 'many' }], total: 1, next: null }
  const { value } = await client.call('workspace_list_files', {})
  expect(value.message).toContain('(files.0.sizeBytes: must be a number, not a string)')
})

test('an answer for a file other than the requested one is rejected', async () => {
  const server = await served()
  const sha256 = 'a'.repeat(64)
  for (const path of ['../../etc/passwd', 'b.txt']) {
    const source = () => done({ path, docPath: 'a.txt', sha256, sizeBytes: 1 })
    const client = await attachScripted(server, { source })
    const { value } = await client.call('workspace_read_file', { path: 'a.txt' })
    expect(value).toMatchObject({
      errorCode: 'INTERNAL_ERROR',
      message: expect.stringContaining('must be a spelling of "a.txt"'),
    })
  }
})

test('files that become active at once are all active, and a buffer may be as large as a file', async () => {
  const server = await served()
  const { workspaceId, sessionId } = await attachScripted(server, {})
  const params = { workspaceId, sessionId }
  const paths = Array.from({ length: 20 }, (_, index) => `${index}.txt`)
  const add = (path: string, buffer: string) =>
    server.ask('addActiveFile', { params, body: { path, buffer } })
  await Promise.all(paths.map(path => add(path, 'unsaved')))
  const active = async () => (await server.ask('listActiveFiles', { params })).value.files
  expect(await active()).toHaveLength(20)
  const remove = (path: string) => server.ask('removeActiveFile', { params, query: { path } })
  await Promise.all(paths.slice(1).map(remove))
  expect(await active()).toMatchObject([{ docPath: '0.txt' }])
  expect(await add('large.txt', 'x'.repeat(5_000_000))).toMatchObject({ status: 200 })
})
