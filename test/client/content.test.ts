import { routePath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Embedded, embedded, TOKEN } from '../embedded.ts'

function content(
  { server, workspaceId }: Embedded,
  query: Record<string, string>,
  init: RequestInit = {},
): Promise<Response> {
  const path = routePath('getContent', { workspaceId })
  const url = `http://localhost${path}?${new URLSearchParams(query)}`
  return server.fetch(new Request(url, { ...init, headers: { authorization: `Bearer ${TOKEN}` } }))
}

const put = (product: Embedded, query: Record<string, string>, body: string) =>
  content(product, query, { method: 'PUT', body })

async function draftOf(product: Embedded): Promise<string> {
  const { value } = await product.ask('listDrafts')
  return value[0].id
}

test('a file is given as it is on disk, and of any format as a draft has it', async () => {
  const product = await embedded({ 'a.txt': 'old\n', 'gone.txt': 'x\n' })
  const disk = await content(product, { path: 'A.TXT' })
  expect(await disk.text()).toBe('old\n')
  expect(disk.headers.get('x-content-drafted')).toBe('false')
  await product.call('edit_text_file', {
    path: 'a.txt',
    edits: [{ search: 'old', replace: 'new' }],
  })
  await product.call('xlsx_operations', {
    path: 'b.xlsx',
    create_if_missing: true,
    operations: [
      { op: 'ensure_sheet', sheet: 'S' },
      { op: 'set_range', sheet: 'S', start: 'A1', values: [[1]] },
    ],
  })
  await product.call('file_operations', { operations: [{ op: 'delete', path: 'gone.txt' }] })
  const draftId = await draftOf(product)
  const drafted = await content(product, { path: 'a.txt', draftId })
  expect(await drafted.text()).toBe('new\n')
  expect(drafted.headers.get('x-content-drafted')).toBe('true')
  const book = await content(product, { path: 'b.xlsx', draftId })
  const packed = await book.text()
  expect(packed.slice(0, 2), packed.slice(0, 300)).toBe('PK')
  expect((await content(product, { path: 'gone.txt', draftId })).status).toBe(404)
  expect(await (await content(product, { path: 'gone.txt' })).text()).toBe('x\n')
  expect((await content(product, { path: 'nowhere.txt' })).status).toBe(404)
  expect((await content(product, { path: '../up.txt' })).status).toBe(400)
})

test('a key file is not given, and none that other programs execute is brought', async () => {
  const product = await embedded({ '.env': 'KEY=1\n' })
  expect((await content(product, { path: '.env' })).status).toBe(403)
  const hook = await put(product, { path: '.git/hooks/pre-commit' }, '#!/bin/sh\n')
  expect(hook.status).toBeGreaterThanOrEqual(400)
})

test('a file that a person brings is written, replaced only on request, listed and undone', async () => {
  const product = await embedded({ 'a.txt': 'mine\n' })
  expect((await put(product, { path: 'new/b.txt' }, 'brought\n')).status).toBe(200)
  expect(product.read('new/b.txt')).toBe('brought\n')
  const taken = await put(product, { path: 'a.txt' }, 'theirs\n')
  expect(taken.status).toBe(409)
  expect(product.read('a.txt')).toBe('mine\n')
  expect((await put(product, { path: 'a.txt', replace: 'true' }, 'theirs\n')).status).toBe(200)
  expect(product.read('a.txt')).toBe('theirs\n')
  const listed = async () => (await product.ask('listChangeSets')).value.changeSets
  const [newest] = await listed()
  expect(newest).toMatchObject({ label: 'Add a.txt', isStanding: true })
  const { changeSetId } = newest
  await product.ask('undo', { body: { changeSetId } })
  expect(product.read('a.txt')).toBe('mine\n')
  const after = await listed()
  expect(after).toHaveLength(3)
  expect(after[0]).toMatchObject({ undoes: changeSetId, isStanding: true })
  expect(after[1]).toMatchObject({ changeSetId, isStanding: false })
})

test('what a draft wrote names its session and calls, and comments reach the log', async () => {
  const product = await embedded({ 'a.txt': 'old\n' })
  const edits = [{ search: 'old', replace: 'new' }]
  await product.call('edit_text_file', { path: 'a.txt', edits })
  const draftId = await draftOf(product)
  await product.ask('publish', { body: { draftId, comments: ['a.txt, line 1: shorter, please'] } })
  const { value } = await product.ask('listChangeSets')
  expect(value.changeSets[0]).toMatchObject({
    draftId,
    sessionId: product.sessionId,
    toolCallIds: [expect.stringMatching(/^tc_/)],
  })
  const { value: log } = await product.ask('log', { params: { sessionId: product.sessionId } })
  expect(log.rows.at(-1).body).toMatchObject({
    type: 'draft',
    comments: ['a.txt, line 1: shorter, please'],
  })
})

test('a session is named, pinned and put away, and its marks go with it', async () => {
  const product = await embedded()
  const params = { sessionId: product.sessionId }
  await product.ask('updateSession', { params, body: { title: 'Bread', isPinned: true } })
  const { value } = await product.ask('updateSession', { params, body: { isArchived: true } })
  expect(value).toMatchObject({ title: 'Bread', isPinned: true, isArchived: true })
  const sessions = async () => (await product.ask('listSessions')).value.sessions
  expect(await sessions()).toContainEqual(
    expect.objectContaining({ title: 'Bread', isPinned: true, isArchived: true }),
  )
  await product.ask('deleteSession', { params })
  expect(await product.stores.settings.list('session-marks/')).toEqual([])
})
