import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS, routePath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { embedded, TOKEN } from '../embedded.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §8 input is UTF-8',
  'a body that is not UTF-8 is refused, and no letter of it is lost',
  async () => {
    const product = await embedded()
    const { workspaceId, sessionId } = product
    const body = { tool: 'write_text_file', arguments: { path: 'a.txt', content: 'caf\u00e9' } }
    const response = await product.server.fetch(
      new Request(`http://localhost${routePath('callTool', { workspaceId, sessionId })}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: Buffer.from(JSON.stringify(body), 'latin1'),
      }),
    )
    expect(response.status).toBe(400)
    expect((await product.ask('listDrafts')).value).toEqual([])
  },
)

verifies(
  'CONTRACT §8 input is UTF-8',
  'arguments on stdin that are not UTF-8 are refused',
  async () => {
    const box = sandbox()
    const child = box.start(['call', 'write_text_file', '-'])
    child.stdin!.end(Buffer.from('{"path": "a.txt", "content": "caf\u00e9"}', 'latin1'))
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(2)
    expect(await box.run(['review'])).toMatchObject({ code: 3 })
  },
)

verifies(
  'CONTRACT §8 input is UTF-8',
  'a line that is not UTF-8 is refused, and the lines behind it are done',
  async () => {
    const box = sandbox()
    const line = JSON.stringify({
      tool: 'write_text_file',
      arguments: { path: 'a.txt', content: 'caf\u00e9' },
    })
    const called = await box.run(['call', '--lines'], { input: twice(line) })
    const [first, second] = called.stdout.split('\n').map(text => text && JSON.parse(text).result)
    expect(first).toMatchObject({ errorCode: 'INVALID_ARGUMENT', kind: 'invalid' })
    expect(second).toMatchObject({ success: true })
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'caf\u00e9' })
    const asked = await box.run(['rpc'], { input: twice(request) })
    expect(
      asked.stdout
        .trim()
        .split('\n')
        .map(text => JSON.parse(text)),
    ).toMatchObject([
      { id: null, error: { message: expect.stringContaining('not UTF-8') } },
      { id: 1, error: { message: expect.stringContaining('caf\u00e9') } },
    ])
  },
)

test('a byte order mark before the first line is no part of it', async () => {
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'none' })
  const asked = await sandbox().run(['rpc'], { input: Buffer.from(`\ufeff${request}\n`) })
  expect(JSON.parse(asked.stdout)).toMatchObject({ id: 1, error: { code: -32601 } })
})

/** First in another encoding, then in UTF-8. */
function twice(line: string): Buffer {
  return Buffer.concat([Buffer.from(`${line}\n`, 'latin1'), Buffer.from(`${line}\n`)])
}

test('a file over the size limit is reported with its size', async () => {
  const product = await embedded({ 'huge.log': '' })
  const file = openSync(join(product.dir, 'huge.log'), 'r+')
  ftruncateSync(file, LIMITS.blobBytes + 1) // sparse: takes no room on the disk
  closeSync(file)
  for (const [tool, args] of [
    ['read_file', {}],
    ['get_file_info', {}],
    ['edit_text_file', { edits: [{ search: 'a', replace: 'b' }] }],
  ] as const)
    expect(await product.call(tool, { path: 'huge.log', ...args })).toMatchObject({
      errorCode: 'TOO_LARGE',
      kind: 'limit',
      message: expect.stringContaining(String(LIMITS.blobBytes + 1)),
    })
})

test('data that went to no model is not reported as sent', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  await box.call('read_file', { path: 'a.txt' })
  expect(await box.run(['log', '--sent'])).toMatchObject({ code: 0, stdout: '' })
})
