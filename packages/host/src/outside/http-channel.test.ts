import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openAddress } from './http-channel.ts'
import { startServer } from './outside-server.ts'

test.each([
  ['a page', 'text/html', '<html>Hello</html>'],
  ['nothing', 'application/json', ''],
  ['JSON of its own', 'application/json', '{"ok":true}'],
  ['an answer to something else', 'application/json', '{"jsonrpc":"2.0","id":99,"result":{}}'],
  ['a stream without the answer', 'text/event-stream', 'data: {"jsonrpc":"2.0","method":"x"}\n\n'],
])(
  'an address that answers 200 with %s is no MCP server, and that is said',
  async (_, type, body) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise(resolve => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    const started = await startServer('docs', openAddress({ url, headers: {} }))
    expect(started).toMatchObject({
      ok: false,
      failure: {
        message: expect.stringMatching(/"docs" is not used: .+no answer of an MCP server/),
      },
    })
  },
  5_000,
)
