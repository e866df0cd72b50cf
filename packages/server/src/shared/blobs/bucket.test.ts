import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openBucket } from './bucket.ts'

test('an answer whose connection ends in its middle is asked for again', async () => {
  const bytes = new Uint8Array(100_000).fill(7)
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.writeHead(200, { 'content-length': bytes.length })
    if (requests > 2) response.end(bytes)
    else response.write(bytes.subarray(0, 50_000), () => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const bucket = await openBucket({
    url: `http://127.0.0.1:${port}/bucket`,
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  })
  expect(await bucket.get('object')).toEqual(bytes)
  expect(requests).toBe(3)
})
