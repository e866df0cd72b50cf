import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskWorkspace } from '@filewright/client'
import { routePath, unwrap } from '@filewright/protocol'
import { openStores } from '@filewright/server'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../verifies.ts'
import { type Served, served } from './served.ts'
import { startOwnClient } from './start-own-client.ts'

const MB = 1024 * 1024
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function store() {
  const root = mkdtempSync(join(tmpdir(), 'filewright-blobs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  const server = await served({ stores: unwrap(await openStores(join(root, 'state'))) })
  const attach = async (key: string): Promise<string> =>
    (await server.ask('attachWorkspace', { body: { key, name: key } })).value.workspaceId
  return { root, server, attach }
}

const blobUrl = (server: Served, workspaceId: string, sha256: string) =>
  server.direct + routePath('putBlob', { workspaceId, sha256 })

async function moveHead(server: Served, workspaceId: string, sha256: string, sizeBytes: number) {
  const head = { docPath: 'a.bin', path: 'a.bin', sha256, sizeBytes }
  return server.ask('moveHeads', { params: { workspaceId }, body: { heads: [head] } })
}

verifies(
  ['CONTRACT §2 blobs raw', 'CONTRACT §2 blobs resumable'],
  'an interrupted upload continues where it stopped',
  async () => {
    const { server, attach } = await store()
    const workspaceId = await attach('own')
    const bytes = randomBytes(6 * MB)
    const sha256 = sha256Of(bytes)
    const url = blobUrl(server, workspaceId, sha256)
    const authorization = `Bearer ${server.token}`
    const offset = async () => {
      const head = await fetch(url, { method: 'HEAD', headers: { authorization } })
      return { status: head.status, at: Number(head.headers.get('upload-offset')) }
    }
    await breakOff(url, { authorization, 'upload-offset': '0' }, bytes.subarray(0, 3 * MB))
    const send = (from: number, to: number, more: Record<string, string> = {}) =>
      fetch(url, {
        method: 'PUT',
        headers: { authorization, 'upload-offset': String(from), ...more },
        body: bytes.subarray(from, to),
      })
    // parts of the broken upload may still be on their way to the disk: then the store refuses, and the test asks again
    let from = 0
    await expect
      .poll(async () => {
        const { status, at } = await offset()
        expect(status).toBe(404)
        from = at
        if (at === 0) return undefined
        const part = await send(at, 4 * MB, { 'upload-complete': '?0' })
        return part.json()
      })
      .toEqual({ offset: 4 * MB })
    expect(from).toBeLessThanOrEqual(3 * MB)
    expect((await send(0, 1)).status).toBe(409)
    const last = await send(4 * MB, 6 * MB)
    expect(await last.json()).toEqual({ sha256, sizeBytes: 6 * MB })
    expect((await offset()).status).toBe(200)
    expect((await moveHead(server, workspaceId, sha256, 6 * MB)).status).toBe(200)
    const got = await fetch(url, { headers: { authorization } })
    expect(sha256Of(new Uint8Array(await got.arrayBuffer()))).toBe(sha256)
  },
)

verifies(
  'CONTRACT §2 blobs resumable',
  'an interrupted download continues with a range, and uploaded bytes can be downloaded',
  async () => {
    const { server, attach } = await store()
    const bytes = randomBytes(1000)
    const workspaceId = await attach('own')
    const url = blobUrl(server, workspaceId, sha256Of(bytes))
    const authorization = `Bearer ${server.token}`
    await fetch(url, { method: 'PUT', headers: { authorization }, body: bytes })
    const get = async (range?: string) => {
      const answer = await fetch(url, { headers: { authorization, ...(range && { range }) } })
      const got = Buffer.from(await answer.arrayBuffer())
      return [answer.status, got, answer.headers.get('content-range')]
    }
    expect(await get()).toEqual([200, bytes, null])
    expect(await get('bytes=900-')).toEqual([206, bytes.subarray(900), 'bytes 900-999/1000'])
    expect(await get('bytes=10-19')).toEqual([206, bytes.subarray(10, 20), 'bytes 10-19/1000'])
    expect(await get('bytes=-5')).toEqual([206, bytes.subarray(995), 'bytes 995-999/1000'])
    expect(await get('bytes=5-9999')).toEqual([206, bytes.subarray(5), 'bytes 5-999/1000'])
    expect((await get('bytes=1000-'))[0]).toBe(416)
    for (const other of ['bytes=9-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-'])
      expect(await get(other)).toEqual([200, bytes, null])
    const elsewhere = blobUrl(server, await attach('other'), sha256Of(bytes))
    expect((await fetch(elsewhere, { headers: { authorization } })).status).toBe(404)
  },
)

test('bytes that are not what their name says are refused, at once and in parts', async () => {
  const { server, attach } = await store()
  const url = blobUrl(server, await attach('own'), 'a'.repeat(64))
  const authorization = `Bearer ${server.token}`
  const attempts: Record<string, string>[] = [{}, { 'upload-offset': '0' }]
  for (const more of attempts) {
    const headers = { authorization, ...more }
    const answer = await fetch(url, { method: 'PUT', headers, body: 'other' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errorCode: 'HASH_MISMATCH' })
  }
})

test('a large blob goes through the server in pieces, up and down', async () => {
  const { server, attach } = await store()
  const workspaceId = await attach('own')
  const piece = randomBytes(MB)
  const hash = createHash('sha256')
  for (let i = 0; i < 50; i++) hash.update(piece)
  const sha256 = hash.digest('hex')
  const url = blobUrl(server, workspaceId, sha256)
  const headers = { authorization: `Bearer ${server.token}` }
  const before = process.memoryUsage().rss
  let most = before
  const sample = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  const sent = await new Promise<number | undefined>((resolve, reject) => {
    const request = http.request(url, { method: 'PUT', headers }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    request.on('error', reject)
    let left = 50
    const write = () => {
      while (left-- > 0) if (!request.write(piece)) return void request.once('drain', write)
      request.end()
    }
    write()
  })
  expect(sent).toBe(200)
  await moveHead(server, workspaceId, sha256, 50 * MB)
  const got = await fetch(url, { headers })
  const again = createHash('sha256')
  for await (const chunk of got.body!) again.update(chunk)
  clearInterval(sample)
  expect(again.digest('hex')).toBe(sha256)
  // sender, server and receiver are one process here: together they hold less than two copies of the blob
  expect(most - before).toBeLessThan(100 * MB)
})

verifies(
  'CONTRACT §2 blobs resumable',
  'a client sends a large file in parts, and continues after its connection was cut',
  async () => {
    const { root, server } = await store()
    const dir = join(root, 'workspace')
    mkdirSync(dir)
    const text = `${'x'.repeat(99)}\n`.repeat(200_000)
    writeFileSync(join(dir, 'large.txt'), text)
    const client = await startOwnClient(server, {
      workspace: unwrap(await openDiskWorkspace(dir)),
      stateRoot: join(root, 'client'),
    })
    onTestFinished(() => client.close())
    const { workspaceId } = client
    const { sessionId } = (await server.ask('createSession', { params: { workspaceId } })).value
    server.cutAfter(request => request.startsWith('PUT'), 2)
    const tool = 'workspace_read_file'
    const { value } = await server.ask('callTool', {
      params: { workspaceId, sessionId },
      body: { tool, arguments: { path: 'large.txt', lineStart: 1, lineCount: 1 } },
    })
    expect(value, JSON.stringify(value).slice(0, 300)).toMatchObject({
      success: true,
      file: { sizeBytes: text.length, sha256: sha256Of(Buffer.from(text)) },
    })
    expect(server.requests.filter(request => request.startsWith('PUT'))).toHaveLength(4)
    expect(server.requests.filter(request => request.startsWith('HEAD'))).toHaveLength(2)
  },
)

verifies(
  'CONTRACT §2 blobs raw',
  'knowing a hash is not enough to read, name or continue bytes of another workspace',
  async () => {
    const { server, attach } = await store()
    const [own, other] = [await attach('own'), await attach('other')]
    const secret = Buffer.from('the secret of one workspace')
    const sha256 = sha256Of(secret)
    const authorization = `Bearer ${server.token}`
    const put = { method: 'PUT', headers: { authorization }, body: secret }
    expect((await fetch(blobUrl(server, own, sha256), put)).status).toBe(200)
    expect((await moveHead(server, own, sha256, secret.length)).status).toBe(200)

    const foreign = { authorization: `Bearer ${await server.issueToken(other)}` }
    const there = blobUrl(server, other, sha256)
    const get = async (url: string) => (await fetch(url, { headers: foreign })).status
    expect([await get(blobUrl(server, own, sha256)), await get(there)]).toEqual([404, 404])
    expect((await fetch(there, { method: 'HEAD', headers: foreign })).status).toBe(404)
    expect(await moveHead(server, other, sha256, secret.length)).toMatchObject({
      status: 404,
      value: { missing: [sha256] },
    })
    expect(await get(there)).toBe(404)

    const begun = sha256Of(Buffer.from('begun'))
    const part = (url: string, headers: Record<string, string>, body: string) =>
      fetch(url, { method: 'PUT', headers, body })
    const open = { authorization, 'upload-offset': '0', 'upload-complete': '?0' }
    await part(blobUrl(server, own, begun), open, 'begun')
    const head = await fetch(blobUrl(server, other, begun), { method: 'HEAD', headers: foreign })
    expect(head.headers.get('upload-offset')).toBe('0')
    const end = { ...foreign, 'upload-offset': '5' }
    expect((await part(blobUrl(server, other, begun), end, '')).status).toBe(409)
  },
)

/** Sends the bytes as the first part of a longer body, then cuts the connection. */
function breakOff(url: string, headers: Record<string, string>, bytes: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    const request = http.request(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': String(bytes.length * 2) },
    })
    request.on('error', () => resolve())
    request.write(bytes, () => setTimeout(() => request.destroy(new Error('cut')), 100))
  })
}

test('a part with a wrong offset gets the right one, and an invalid header ends no upload', async () => {
  const { server, attach } = await store()
  const [own, other] = [await attach('own'), await attach('other')]
  const bytes = randomBytes(100)
  const send = async (workspaceId: string, from: number, headers: Record<string, string>) => {
    const answered = await fetch(blobUrl(server, workspaceId, sha256Of(bytes)), {
      method: 'PUT',
      headers: { authorization: `Bearer ${server.token}`, ...headers },
      body: bytes.subarray(from),
    })
    return { status: answered.status, ...((await answered.json()) as object) }
  }
  expect(await send(own, 5, { 'upload-offset': '5' })).toMatchObject({ status: 409, offset: 0 })
  expect(await send(own, 60, { 'upload-offset': '0', 'upload-complete': '?0' })).toMatchObject({
    offset: 40,
  })
  for (const headers of [
    { 'upload-offset': 'x' },
    { 'upload-offset': '' },
    { 'upload-offset': '40', 'upload-complete': 'no' },
    { 'upload-complete': '?0' },
  ])
    expect(await send(own, 40, headers as never)).toMatchObject({ status: 400, kind: 'invalid' })
  expect(await send(own, 60, { 'upload-offset': '60' })).toMatchObject({ status: 409, offset: 40 })
  expect(await send(other, 0, { 'upload-offset': '40' })).toMatchObject({ status: 409, offset: 0 })
  expect(await send(other, 0, { 'upload-offset': '0' })).toMatchObject({
    status: 503,
    message: expect.stringContaining('Send them whole'),
  })
  expect(await send(other, 0, {})).toMatchObject({ status: 200, sizeBytes: 100 })
})

test('a head has the size of its bytes, whatever its client says, and a path that is a spelling of its docPath', async () => {
  const { server, attach } = await store()
  const workspaceId = await attach('own')
  const bytes = randomBytes(100)
  const sha256 = sha256Of(bytes)
  const headers = { authorization: `Bearer ${server.token}` }
  await fetch(blobUrl(server, workspaceId, sha256), { method: 'PUT', headers, body: bytes })
  expect((await moveHead(server, workspaceId, sha256, 7)).value).toMatchObject([{ sizeBytes: 100 }])
  expect((await moveHead(server, workspaceId, sha256, -1)).status).toBe(400)
  const head = { docPath: 'a.bin', path: 'b.bin', sha256, sizeBytes: 100 }
  expect(
    await server.ask('moveHeads', { params: { workspaceId }, body: { heads: [head] } }),
  ).toMatchObject({ status: 400, value: { message: expect.stringContaining('"b.bin"') } })
})
