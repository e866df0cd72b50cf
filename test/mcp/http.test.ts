import { request as httpRequest } from 'node:http'
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

async function serve(box: Sandbox): Promise<Served> {
  const child = box.start(['serve', '--port', '0'])
  const said = await untilSays(child, PAGE_ADDRESS)
  const { origin, searchParams } = new URL(said)
  const token = searchParams.get('token')!
  const listed = await fetch(`${origin}/api/workspaces`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { workspaces } = (await listed.json()) as Message
  return { origin, token, workspaceId: workspaces[0].workspaceId }
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
