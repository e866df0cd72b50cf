import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { PATIENCE } from '../patience.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

const HELLO: readonly FakeStep[] = [{ text: 'Hello.' }]

describe('a second serve on the same state', () => {
  test('opens the folder it was given, and a run there uses the model it was given', async () => {
    const { one, two, first, second } = await twoTerminals()
    expect(await names(first.address)).toEqual(['one', 'two'])
    expect(await names(second.address)).toEqual(['two', 'one']) // the page opens the first of them
    await runAt(second.address, 'two')
    expect([one.requests.length, two.requests.length]).toEqual([0, 1])
    await runAt(first.address, 'one')
    expect([one.requests.length, two.requests.length]).toEqual([1, 1])
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'outlives the first, ended by %s, with its folder, its model and no stack trace',
    async signal => {
      const { two, first, second } = await twoTerminals()
      const { workspaceId, sessionId } = await sessionIn(second.address, 'two')
      const events = await ask(
        second.address,
        `/workspaces/${workspaceId}/sessions/${sessionId}/events`,
      )
      const ended = finished(second.child)
      first.child.kill(signal)
      await events.text() // ends with the owner, and without an error
      const attached = async () =>
        (await workspaces(second.address)).filter(each => each.isAttached).map(each => each.name)
      await expect.poll(attached, PATIENCE).toEqual(['two'])
      await runAt(second.address, 'two')
      expect(two.requests).toHaveLength(1)
      second.child.kill('SIGTERM')
      const { code, stderr } = await ended
      expect(code).toBe(0)
      expect(stderr).not.toMatch(/Error|at .+:\d+:\d+/)
    },
  )

  test.skipIf(process.platform === 'win32')(
    'owns the state soon after the first has ended, though nobody asks it anything',
    async () => {
      const { box, first } = await twoTerminals()
      first.child.kill('SIGKILL')
      await finished(first.child)
      await expect.poll(() => isAnswering(join(box.state, 'owner.sock')), PATIENCE).toBe(true)
    },
  )
})

describe('serve', () => {
  test('prints which model runs use', async () => {
    const model = await fakeModel(HELLO)
    const said = (env: Readonly<Record<string, string>>) =>
      untilSays(sandbox().start(['serve', '--port', '0'], { env }), /^Model: .*$/m)
    const set = { FILEWRIGHT_MODEL: 'fake', FILEWRIGHT_BASE_URL: model.baseUrl }
    expect(await said(set)).toMatch(new RegExp(`^Model: \\S*fake at ${model.baseUrl}`))
    expect(await said({ FILEWRIGHT_BASE_URL: model.baseUrl })).toContain('fake')
    expect(await said({})).toMatch(/^Model: scripted\/demo, a demonstration.+FILEWRIGHT_MODEL/)
    expect(await said({ FILEWRIGHT_MODEL: 'openai/gpt-5' })).toMatch(
      /^Model: no run can start yet\. .+key/i,
    )
  })
})

function isAnswering(socketPath: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(socketPath)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** Each with a folder and a model of its own. */
async function twoTerminals() {
  const box = sandbox({ 'one/a.txt': 'a\n', 'two/b.txt': 'b\n' })
  const [one, two] = [await fakeModel(HELLO), await fakeModel(HELLO)]
  const first = await serve(box, 'one', {
    FILEWRIGHT_MODEL: 'fake',
    FILEWRIGHT_BASE_URL: one.baseUrl,
  })
  const second = await serve(box, 'two', {
    FILEWRIGHT_MODEL: 'fake',
    FILEWRIGHT_BASE_URL: two.baseUrl,
  })
  return { box, one, two, first, second }
}

async function serve(box: Sandbox, folder: string, env: Readonly<Record<string, string>>) {
  const child = box.start(['serve', '-C', folder, '--port', '0'], { env })
  return { child, address: new URL(await untilSays(child, PAGE_ADDRESS)) }
}

function ask(address: URL, path: string, body?: unknown): Promise<Response> {
  const token = address.searchParams.get('token')
  return fetch(new URL(`/api${path}`, address), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

interface Listed {
  readonly workspaceId: string
  readonly name: string
  readonly isAttached: boolean
}

async function workspaces(address: URL): Promise<readonly Listed[]> {
  const answered = (await (await ask(address, '/workspaces')).json()) as { workspaces: Listed[] }
  return answered.workspaces
}

async function names(address: URL): Promise<string[]> {
  return (await workspaces(address)).map(({ name }) => name)
}

async function sessionIn(address: URL, name: string) {
  const { workspaceId } = (await workspaces(address)).find(each => each.name === name)!
  const made = await ask(address, `/workspaces/${workspaceId}/sessions`, {})
  const { sessionId } = (await made.json()) as { sessionId: string }
  return { workspaceId, sessionId }
}

/** As the page does: a message without a model. */
async function runAt(address: URL, name: string): Promise<void> {
  const { workspaceId, sessionId } = await sessionIn(address, name)
  const session = `/workspaces/${workspaceId}/sessions/${sessionId}`
  const sent = await ask(address, `${session}/messages`, { text: 'Say hello' })
  expect(sent.status, await sent.clone().text()).toBe(200)
  const log = async () => (await ask(address, `${session}/log`)).text()
  await expect.poll(log, PATIENCE).toContain('run-end')
}
