import { mkdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'
import {
  checkFrame,
  type HostOptions,
  type Message,
  openingOf,
  textOf,
  untilDecided,
  withEnvelope,
} from './frames.ts'

interface Served {
  readonly origin: string
  readonly token: string
  readonly workspaceId: string
}

async function serve(
  box: Sandbox,
  folders: readonly string[] = [],
): Promise<Served & { readonly workspaceIds: readonly string[] }> {
  const child = box.start(['serve', '--port', '0', ...folders])
  const said = await untilSays(child, PAGE_ADDRESS)
  const { origin, searchParams } = new URL(said)
  const token = searchParams.get('token')!
  const listed = await fetch(`${origin}/api/workspaces`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { workspaces } = (await listed.json()) as Message
  const workspaceIds = workspaces.map((each: Message) => each.workspaceId)
  return { origin, token, workspaceId: workspaceIds[0], workspaceIds }
}

let id = 0
const ANY = 'application/json, text/event-stream'

/** One request over HTTP; the frames of a stream are checked like a body. */
async function post(
  { origin, token, workspaceId }: Served,
  method: string,
  params: object,
  options: HostOptions & { readonly toolset?: string },
): Promise<Message> {
  const { era, toolset = 'workshop' } = options
  const { name } = params as { name?: string }
  const response = await fetch(`${origin}/mcp/${workspaceId}/${toolset}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: ANY,
      ...(method !== 'initialize' && { 'mcp-protocol-version': era }),
      ...(era === '2026-07-28' && { 'mcp-method': method, ...(name && { 'mcp-name': name }) }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: ++id,
      method,
      params: withEnvelope(options, params),
    }),
  })
  const body = await response.text()
  const frames: Message[] = response.headers.get('content-type')?.includes('event-stream')
    ? [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!))
    : [JSON.parse(body)]
  for (const frame of frames) checkFrame(frame, method)
  return frames.find(frame => frame.id === id) ?? frames[0]
}

test('both eras read, edit and review over HTTP, and a person elsewhere publishes', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const served = await serve(box)
  for (const era of ['2026-07-28', '2025-11-25'] as const) {
    const { method, params } = openingOf({ era })
    const opened = await post(served, method, params, { era })
    expect(opened.result.instructions).toContain('draft')
    const listed = await post(served, 'tools/list', {}, { era })
    expect(listed.result.tools.length).toBeGreaterThan(10)
    const call = async (name: string, args: object = {}) =>
      (await post(served, 'tools/call', { name, arguments: args }, { era })).result
    expect(textOf(await call('read_file', { path: 'a.txt' }))).toContain('1|a')
    await call('write_text_file', { path: 'b.txt', content: `${era}\n` })
    expect(textOf(await call('review_draft'))).toContain('b.txt')
    const publishing = call('publish_draft')
    await expect.poll(async () => (await box.run(['approvals', 'list'])).stdout).toMatch(/qst_\w+/)
    const [question] = /qst_\w+/.exec((await box.run(['approvals', 'list'])).stdout)!
    await box.run(['approvals', 'answer', question, 'Publish'])
    const text = await untilDecided(publishing, () => call('publish_draft'))
    expect(text).toContain('change set is')
    expect(box.read('b.txt')).toBe(`${era}\n`)
  }
})

test('a form over HTTP is good for its own toolset and caller only', async () => {
  const box = sandbox()
  const served = await serve(box)
  const host = { era: '2026-07-28' as const, capabilities: { elicitation: { form: {} } } }
  const call = (name: string, more: object, toolset = 'workshop') =>
    post(served, 'tools/call', { name, arguments: {}, ...more }, { ...host, toolset })
  const content = { path: 'a.txt', content: 'a\n' }
  await post(served, 'tools/call', { name: 'write_text_file', arguments: content }, host)
  const { result } = await call('publish_draft', {})
  const code = /type ([0-9a-f]{6})\b/.exec(result.inputRequests.confirm.params.message)![1]
  const reply = {
    requestState: result.requestState,
    inputResponses: { confirm: { action: 'accept', content: { confirm: code } } },
  }
  expect((await call('publish_draft', reply, 'workspace')).error.code).toBe(-32602)
  expect(box.exists('a.txt')).toBe(false)
  expect(textOf((await call('publish_draft', reply)).result)).toContain('change set is')
  expect(box.read('a.txt')).toBe('a\n')
})

test('a client of 2025 has a session over HTTP, in which its person is asked in the middle of a call', async () => {
  const box = sandbox()
  const served = await serve(box)
  const { origin, token, workspaceId } = served
  const url = `${origin}/mcp/${workspaceId}/workshop`
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: ANY,
  }
  const { params } = openingOf({ era: '2025-11-25', capabilities: { elicitation: {} } })
  const say = (message: object, more: object = {}, to = url) =>
    fetch(to, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const opened = await say({ id: 1, method: 'initialize', params })
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! }
  expect(session['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/)
  await opened.text()
  await say({ method: 'notifications/initialized' }, session)
  const call = (id: number, name: string, given: object = {}) =>
    say({ id, method: 'tools/call', params: { name, arguments: given } }, session)
  await (await call(2, 'write_text_file', { path: 'a.txt', content: 'a\n' })).text()

  const publishing = await call(3, 'publish_draft')
  let heard = ''
  let asked: Message
  for await (const part of publishing.body!.pipeThrough(new TextDecoderStream())) {
    heard += part
    const form = /^data: (.*elicitation\/create.*)$/m.exec(heard)?.[1]
    if (!form || asked) continue
    asked = JSON.parse(form)
    checkFrame(asked, undefined)
    const code = /type ([0-9a-f]{6})\b/.exec(asked.params.message)![1]
    const result = { action: 'accept', content: { confirm: code } }
    expect((await say({ id: asked.id, result }, session)).status).toBe(202)
  }
  expect(heard).toContain('change set is')
  expect(box.read('a.txt')).toBe('a\n')

  // a session belongs to its token and address, and ends when its client says so
  const other = `${origin}/mcp/${workspaceId}/workspace`
  expect((await say({ id: 4, method: 'tools/list' }, session, other)).status).toBe(404)
  expect((await fetch(url, { method: 'DELETE', headers: { ...headers, ...session } })).status).toBe(
    200,
  )
  expect((await say({ id: 5, method: 'tools/list' }, session)).status).toBe(404)
})

test('a draft of another workspace is reached by no id', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const other = join(dirname(box.dir), 'other')
  mkdirSync(other)
  const served = await serve(box, ['-C', box.dir, other])
  const [first, second] = served.workspaceIds.map(workspaceId => ({ ...served, workspaceId }))
  const call = async (at: Served, name: string, given: object = {}) =>
    (await post(at, 'tools/call', { name, arguments: given }, { era: '2026-07-28' })).result
  await call(first!, 'write_text_file', { path: 'secret.txt', content: 'of the first\n' })
  const [draft] = /drf_\w+/.exec(textOf(await call(first!, 'review_draft')))!
  const calls: [string, object][] = [
    ['review_draft', { draft_id: draft }],
    ['publish_draft', { draft_id: draft }],
    ['discard_draft', { draft_id: draft }],
    ['read_file', { path: 'secret.txt', draft_id: draft }],
    ['write_text_file', { path: 'b.txt', content: 'b\n', draft_id: draft }],
  ]
  for (const [name, given] of calls) {
    const answer = await call(second!, name, given)
    expect(answer.isError, name).toBe(true)
    expect(textOf(answer)).toMatch(/^NOT_FOUND: There is no draft/)
  }
})

test('what the person sets for agents counts from the next request on', async () => {
  const box = sandbox()
  const served = await serve(box)
  const era = { era: '2026-07-28' } as const
  const call = async (name: string, given: object = {}) =>
    textOf((await post(served, 'tools/call', { name, arguments: given }, era)).result)
  await call('write_text_file', { path: 'a.txt', content: 'a\n' })
  await box.run(['config', 'set', 'agent-publish', 'never'])
  expect(await call('publish_draft')).toMatch(/^DENIED: Nothing was written/)
  await box.run(['config', 'set', 'agent-publish', 'auto'])
  expect(await call('publish_draft')).toContain('change set is')
  expect(box.read('a.txt')).toBe('a\n')
})

test('a stranger, another site, a rebound name and a huge body are refused', async () => {
  const served = await serve(sandbox())
  const { origin, token, workspaceId } = served
  const path = `/mcp/${workspaceId}/workshop`
  const ask = (headers: Record<string, string>, body = '{}', to = path) =>
    rawPost(origin + to, { 'content-type': 'application/json', accept: ANY, ...headers }, body)
  const authorization = `Bearer ${token}`
  expect(await ask({})).toBe(401)
  expect(await ask({ authorization: 'Bearer wrong' })).toBe(401)
  expect(await ask({ authorization, origin: 'https://evil.example' })).toBe(403)
  expect(await ask({ authorization, host: 'evil.example' })).toBe(403)
  expect(await ask({ authorization }, `"${'x'.repeat(5 * 1024 * 1024)}"`)).toBe(413)
  expect(await ask({ authorization }, '{}', '/mcp/ws_none/workshop')).toBe(404)
  expect(await ask({ authorization }, '{}', `/mcp/${workspaceId}/nothing`)).toBe(404)
  expect(await ask({ authorization }, '{"jsonrpc":')).toBe(400)
  const fine = await post(served, 'tools/list', {}, { era: '2026-07-28' })
  expect(fine.result.tools.length).toBeGreaterThan(10)
})

/** With any Host, which fetch would not send. */
function rawPost(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { method: 'POST', headers }, response => {
      response.resume()
      resolve(response.statusCode!)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
