import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Result, unwrap } from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { openAddress } from './http-channel.ts'
import { type OutsideServer, startServer } from './outside-server.ts'
import { openProgram } from './stdio-channel.ts'

const ENDED = 'sent thousands of messages, or megabytes, that nobody asked for'
const NEVER = new AbortController().signal

test.each([
  ['lines that are no messages', "process.stdout.write('y\\n'.repeat(30_000), more)"],
  ['a log that never ends', "process.stderr.write('y\\n'.repeat(30_000), more)"],
])('a program is ended that writes %s', async (_, flood) => {
  const script = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method } = JSON.parse(line)
      if (method === 'tools/call') return more()
      if (id === undefined) return
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: 'note' }] } }))
    })
    const more = () => ${flood}`
  const channel = openProgram({
    command: process.execPath,
    args: ['-e', script],
    env: { PATH: process.env.PATH ?? '' },
    cwd: '/',
  })
  const server = await started(startServer('notes', channel))
  expect(await server.call('note', {}, NEVER)).toEqual({ type: 'lost', why: ENDED })
})

test('an address is left that keeps a stream alive for ever', async () => {
  const server = await reach(({ method }, response) => {
    if (method !== 'tools/call') return false
    const more = () => {
      while (!response.destroyed && response.write(': still here\n'.repeat(5_000)));
      response.once('drain', more)
    }
    more()
    return true
  })
  expect(await server.call('note', {}, NEVER)).toEqual({ type: 'lost', why: ENDED })
})

test('a stream is not read beyond the answer, and the answer to what is no request not at all', async () => {
  let open = 0
  const server = await reach(({ id, method }, response) => {
    if (method !== 'tools/call' && id !== undefined) return false
    open++
    response.once('close', () => open--)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (id !== undefined) response.write(`data: ${JSON.stringify(answer(id))}\n\n`)
    const beat = setInterval(() => response.write(': still here\n'), 5)
    response.once('close', () => clearInterval(beat))
    return true
  })
  expect(await server.call('note', {}, NEVER)).toMatchObject({ type: 'answered' })
  await expect.poll(() => open).toBe(0)
})

test('however much a server asks of us, few replies are on their way at once', async () => {
  let open = 0
  let most = 0
  const server = await reach(({ id, method }, response) => {
    if (method === undefined) {
      most = Math.max(most, ++open)
      return true // and never answered
    }
    if (method !== 'tools/call') return false
    const pings = Array.from({ length: 2_000 }, (_, i) => ({
      jsonrpc: '2.0',
      id: i,
      method: 'ping',
    }))
    const sent = [...pings, answer(id)].map(each => `data: ${JSON.stringify(each)}\n\n`)
    response.end(sent.join(''))
    return true
  })
  expect(await server.call('note', {}, NEVER)).toMatchObject({ type: 'answered' })
  expect(await server.call('note', {}, NEVER)).toMatchObject({ type: 'answered' })
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(16)
})

interface Message {
  readonly id?: number
  readonly method?: string
}

/** A server over HTTP; what `instead` does not take is answered well. */
async function reach(instead: (message: Message, response: ServerResponse) => boolean) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.end()
    const message = await messageOf(request)
    const { id, method } = message
    response.setHeader('content-type', 'text/event-stream')
    if (instead(message, response)) return
    if (id === undefined || method === undefined) return void response.writeHead(202).end()
    response.end(`data: ${JSON.stringify(answer(id))}\n\n`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return started(startServer('notes', openAddress({ url, headers: {} })))
}

function answer(id: unknown) {
  return { jsonrpc: '2.0', id, result: { tools: [{ name: 'note' }] } }
}

async function messageOf(request: IncomingMessage): Promise<Message> {
  let text = ''
  for await (const piece of request) text += piece
  return JSON.parse(text)
}

async function started(starting: Promise<Result<OutsideServer>>): Promise<OutsideServer> {
  const server = unwrap(await starting)
  onTestFinished(() => server.close())
  return server
}
