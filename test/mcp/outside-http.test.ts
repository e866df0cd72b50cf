import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { noteStep, questionIn, RUN } from './outside/box.ts'

const TOOLS = [{ name: 'note', description: 'Keeps a note.', inputSchema: { type: 'object' } }]

test.each(['application/json', 'text/event-stream'])(
  'a server over HTTP that answers with %s gets its headers, its session and calls',
  async type => {
    const there = await httpServer(type)
    const { run, model } = await prepare([noteStep('one', 'far__note'), { text: 'Done.' }])
    const header = ['--header', 'Authorization: Bearer abc', 'X-Team: blue']
    const added = await run(['mcp', 'add', 'far', '--url', there.url, ...header])
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('far__note') })
    const asked = await run(RUN)
    await run(['approvals', 'answer', questionIn(asked), '1'])
    expect((await run(['resume'])).code).toBe(0)
    const messages = model.requests.at(-1)!.messages
    expect(messages.findLast(({ role }) => role === 'tool')!.content).toContain('Kept: one')
    const call = there.asked.find(({ method }) => method === 'tools/call')!
    expect(call.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-team': 'blue',
      'mcp-session-id': 's-1',
      'mcp-protocol-version': '2025-11-25',
    })
    expect(there.asked.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
    if (type === 'text/event-stream')
      expect(there.replies).toEqual([expect.objectContaining({ code: -32601 })])
    const listed = await run(['mcp', 'list'])
    expect(listed.stdout).toContain(`far  http  ${there.url} with Authorization, X-Team`)
    expect(listed.stdout).not.toContain('abc')
  },
)

test('a server that points elsewhere is not followed: nobody else gets the headers', async () => {
  const other = await httpServer('application/json')
  const there = await httpServer('application/json', (_, response) => {
    response.writeHead(307, { location: other.url }).end()
    return true
  })
  const { run } = await prepare([])
  const added = await run(['mcp', 'add', 'far', '--url', there.url, '--header', 'X-Key: abc'])
  expect(added).toMatchObject({ code: 8, stderr: expect.stringContaining('to another address') })
  expect(other.asked).toEqual([])
})

test('one that refuses, is not there, or answers without end is reported', async () => {
  const { run } = await prepare([])
  const denied = await httpServer('application/json', (_, response) => {
    response.writeHead(401).end('no')
    return true
  })
  const endless = await httpServer('application/json', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', more)
    }
    more()
    return true
  })
  const add = async (url: string) => (await run(['mcp', 'add', 'far', '--url', url])).stderr
  expect(await add(denied.url)).toContain('it answers with 401')
  expect(await add(endless.url)).toContain('sent a message of more than 4 MB')
  expect(await add('http://127.0.0.1:1/mcp')).toContain('no connection')
})

async function prepare(steps: Parameters<typeof fakeModel>[0]) {
  const box = sandbox({ 'a.txt': 'a\n' })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl }
  return { model, run: (args: readonly string[]) => box.run(args, { env }) }
}

interface Asked {
  readonly method: string
  readonly headers: IncomingMessage['headers']
}

type Instead = (request: IncomingMessage, response: ServerResponse) => boolean

async function httpServer(type: string, instead: Instead = () => false) {
  const asked: Asked[] = []
  const replies: unknown[] = []
  const server: Server = createServer(async (request, response) => {
    if (instead(request, response)) return
    let text = ''
    for await (const piece of request) text += piece
    if (request.method !== 'POST') return void response.writeHead(200).end()
    const { id, method, params, error } = JSON.parse(text)
    if (method) asked.push({ method, headers: request.headers })
    if (error) replies.push(error)
    if (id === undefined || method === undefined) return void response.writeHead(202).end()
    const answer = { jsonrpc: '2.0', id, result: resultOf(method, params) }
    response.writeHead(200, { 'content-type': type, 'mcp-session-id': 's-1' })
    if (type === 'application/json') return void response.end(JSON.stringify(answer))
    const sampling = { jsonrpc: '2.0', id: 'mine', method: 'sampling/createMessage', params: {} }
    if (method === 'tools/call') response.write(`data: ${JSON.stringify(sampling)}\n\n`)
    response.end(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, asked, replies }
}

function resultOf(
  method: string,
  params: { protocolVersion?: string; arguments?: { text: string } },
) {
  if (method === 'initialize')
    return { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: {} }
  if (method === 'tools/list') return { tools: TOOLS }
  return { content: [{ type: 'text', text: `Kept: ${params.arguments?.text}` }] }
}
