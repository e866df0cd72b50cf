import { createHash } from 'node:crypto'
import { existsSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonRoute, type RouteName, routePath, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Embedded, embedded, TOKEN } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const KEY = 'PASSWORD=hunter2-of-the-key-file\n'
const OTHER = 'OTHER=hunter2-of-the-other-file\n'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const SHA = sha256(KEY)

async function readerOf({ server, workspaceId }: Embedded) {
  const body = { name: 'reader', rights: ['read' as const], workspaces: [workspaceId] }
  return unwrap(await server.handle(TOKEN, 'createToken', { body })).token
}

/** The whole answer of a route, as the holder of this token gets it. */
async function get(
  { server, workspaceId, sessionId }: Embedded,
  token: string,
  name: RouteName,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
) {
  const url = new URL(`http://localhost${routePath(name, { workspaceId, sessionId, ...params })}`)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  const response = await server.fetch(
    new Request(url, { headers: { authorization: `Bearer ${token}` } }),
  )
  return { status: response.status, text: await response.text() }
}

/** A person once allowed the key file to be read, a model read it, and the person took the yes back. */
async function onceRead() {
  const product = await embedded({ '.env': KEY, 'a.txt': 'a\n' })
  const rule = await product.ask('addRule', { body: { effect: 'read', path: '.env' } })
  expect(await product.call('workspace_read_file', { path: '.env' })).toMatchObject({
    success: true,
  })
  expect(await product.call('workspace_read_file', { path: 'a.txt' })).toMatchObject({
    success: true,
  })
  const reader = await readerOf(product)
  expect(await get(product, reader, 'getBlob', { sha256: SHA })).toEqual({ status: 200, text: KEY })
  await product.ask('removeRule', { params: { ruleId: rule.value.id } })
  return { product, reader }
}

/** Every way to ask for a file's bytes, or for what leads to them. */
async function everyWay(product: Embedded, token: string, path: string, hash: string) {
  const { server, workspaceId, sessionId } = product
  const params = { workspaceId, sessionId }
  const tool = async (name: string, args: object) =>
    JSON.stringify(
      await server.handle(token, 'callTool', { params, body: { tool: name, arguments: args } }),
    )
  return {
    blob: (await get(product, token, 'getBlob', { sha256: hash })).text,
    history: (await get(product, token, 'history', {}, { path })).text,
    content: (await get(product, token, 'getContent', {}, { path })).text,
    workspace_read_file: await tool('workspace_read_file', { path }),
    read_file: await tool('read_file', { path }),
    workspace_search: await tool('workspace_search', { query: 'hunter2' }),
    search_files: await tool('search_files', { pattern: 'hunter2' }),
  }
}

verifies(
  'CONTRACT §8 blob by a readable path',
  'the bytes of a key file are reached by no hash once nobody may read it, with its client there or away',
  async () => {
    const { product, reader } = await onceRead()
    for (const token of [reader, TOKEN]) {
      for (const [way, text] of Object.entries(await everyWay(product, token, '.env', SHA))) {
        expect(text, way).not.toContain('hunter2-of')
        expect(text, way).not.toContain(SHA)
      }
      expect(await get(product, token, 'getBlob', { sha256: SHA })).toMatchObject({ status: 403 })
      const image = { sha256: SHA, mediaType: 'image/png' as const }
      const params = { workspaceId: product.workspaceId, sessionId: product.sessionId }
      const sent = await product.server.handle(TOKEN, 'sendMessage', {
        params,
        body: { text: 'See.', images: [image] },
      })
      expect(sent).toMatchObject({ ok: false, failure: { code: 'PRIVATE_FILE' } })
    }
    await product.detach()
    for (const [way, text] of Object.entries(await everyWay(product, reader, '.env', SHA)))
      expect(text, way).not.toContain('hunter2-of')
    const a = sha256('a\n')
    expect(await get(product, reader, 'getBlob', { sha256: a })).toEqual({
      status: 200,
      text: 'a\n',
    })
  },
)

test('a blob that another path has too is reached by that path, and so is what a rule allows again', async () => {
  const { product, reader } = await onceRead()
  await product.ask('addRule', { body: { effect: 'read', path: '.env' } })
  expect(await get(product, reader, 'getBlob', { sha256: SHA })).toEqual({ status: 200, text: KEY })
  const again = await onceRead()
  again.product.write('copy.txt', KEY)
  await again.product.call('workspace_read_file', { path: 'copy.txt' })
  expect(await get(again.product, again.reader, 'getBlob', { sha256: SHA })).toEqual({
    status: 200,
    text: KEY,
  })
})

test('a drafted key file shows what it had on disk to nobody who may not read it', async () => {
  const product = await embedded({ '.env': OTHER, 'a.txt': 'a\n' })
  const read = await product.ask('addRule', { body: { effect: 'read', path: '.env' } })
  const write = await product.ask('addRule', { body: { effect: 'write', path: '.env' } })
  const edit = { path: '.env', edits: [{ search: 'OTHER', replace: 'THIS' }] }
  expect(await product.call('edit_text_file', edit)).toMatchObject({ success: true })
  for (const { value } of [read, write])
    await product.ask('removeRule', { params: { ruleId: value.id } })
  const reader = await readerOf(product)
  const [draft] = (await product.ask('listDrafts')).value
  const query = { draftId: draft.id, path: '.env' }
  const drafted = sha256(OTHER.replace('OTHER', 'THIS'))
  for (const token of [reader, TOKEN])
    for (const [way, text] of Object.entries({
      ...(await everyWay(product, token, '.env', sha256(OTHER))),
      drafted: (await get(product, token, 'getContent', {}, query)).text,
      draftedBlob: (await get(product, token, 'getBlob', { sha256: drafted })).text,
      review: (await get(product, token, 'review', {}, { draftId: draft.id })).text,
    }))
      expect(text, way).not.toContain('hunter2-of')
})

test('a drafted file that becomes a link to a key file shows nothing of the key file', async () => {
  const product = await embedded({ '.env': KEY, 'a.txt': 'one\n' })
  const write = { path: 'a.txt', content: 'mine\n' }
  expect(await product.call('write_text_file', write)).toMatchObject({ success: true })
  const [draft] = (await product.ask('listDrafts')).value
  const place = join(product.dir, 'a.txt')
  if (existsSync(place)) unlinkSync(place)
  symlinkSync('.env', place)
  const reader = await readerOf(product)
  const asked: JsonRoute[] = ['review', 'publish']
  for (const route of asked) {
    const { value } = await product.ask(route, {
      ...(route === 'review' ? { query: { draftId: draft.id } } : { body: { draftId: draft.id } }),
    })
    expect(JSON.stringify(value), route).not.toContain('hunter2-of')
  }
  for (const [way, text] of Object.entries(await everyWay(product, reader, 'a.txt', SHA)))
    expect(text, way).not.toContain('hunter2-of')
  const batch = {
    files: [
      {
        docPath: 'a.txt',
        originalSha256: sha256('one\n'),
        changes: [{ operation: 'replace', startLine: 1, endLine: 1, newLines: ['x'] }],
      },
    ],
  }
  for (const [tool, args] of [
    ['workspace_write_patch', batch],
    ['workspace_edit_file', { path: 'a.txt', edits: [{ search: 'one', replace: 'x' }] }],
    ['edit_text_file', { path: 'a.txt', edits: [{ search: 'mine', replace: 'x' }] }],
  ] as const)
    expect(JSON.stringify(await product.call(tool, args)), tool).not.toContain('hunter2-of')
})
