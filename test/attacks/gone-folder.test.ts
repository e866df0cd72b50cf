import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Answer, type Embedded, embedded } from '../embedded.ts'

const CALLS: readonly [tool: string, args: unknown][] = [
  ['workspace_list_files', {}],
  ['workspace_read_file', { path: 'a.txt' }],
  ['workspace_read_file', { path: 'nope.txt' }],
  ['workspace_create_file', { path: 'new.txt', content: 'n\n' }],
  ['workspace_create_file', { path: 'folder/new.txt', content: 'n\n' }],
  ['list_files', {}],
  ['read_file', { path: 'b.txt' }],
  ['get_file_info', { path: 'b.txt' }],
  ['edit_text_file', { path: 'b.txt', edits: [{ search: 'b', replace: 'c' }] }],
  ['write_text_file', { path: 'b.txt', content: 'c\n' }],
  ['file_operations', { operations: [{ op: 'delete', path: 'b.txt' }] }],
]

const WRITES = /create|edit|write|operations/

/** A workspace with a published change, a draft and an open approval, whose folder is then renamed. */
async function withGoneFolder(work: (product: Embedded, approvalId: string) => Promise<void>) {
  const product = await embedded({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  await product.call('workspace_create_file', { path: 'made.txt', content: 'm\n' })
  await product.call('edit_text_file', {
    path: 'a.txt',
    edits: [{ search: 'a', replace: 'x' }],
  })
  const waiting = { path: 'later.txt', content: 'l\n' }
  const asked = await product.call('workspace_create_file', waiting, { approve: 'ask' })
  renameSync(product.dir, `${product.dir}-elsewhere`)
  try {
    await work(product, asked.approvalId)
  } finally {
    renameSync(`${product.dir}-elsewhere`, product.dir)
  }
  return product
}

function expectGone({ errorCode, kind, message }: Answer, isWrite = true) {
  expect({ errorCode, kind }).toEqual({ errorCode: 'WORKSPACE_GONE', kind: 'missing' })
  expect(message).toMatch(
    isWrite ? /^Nothing was written: .*the folder of the workspace, /i : /^The folder of the work/,
  )
  expect(message).toMatch(/is gone: .* Tell the person/)
}

test('every tool reports that the workspace folder is gone, and none that a file is', async () => {
  await withGoneFolder(async product => {
    for (const [tool, args] of CALLS) expectGone(await product.call(tool, args), WRITES.test(tool))
    const changes = [
      {
        operation: 'replace',
        startLine: 1,
        endLine: 1,
        expectedOriginalLines: ['a'],
        newLines: [],
      },
    ]
    const files = [{ docPath: 'a.txt', originalSha256: '87428fc5', changes }]
    expectGone(await product.call('workspace_write_patch', { files }))
    const drafted = await product.call('read_file', { path: 'a.txt' })
    expect(drafted).toMatchObject({ success: true, content: 'x\n' })
    expect(drafted.warnings[0]).toMatch(/^This is the draft\. The folder of the workspace/)
  })
})

test('publish, undo and an approval say so too, and keep what they were to write', async () => {
  const product = await withGoneFolder(async (product, approvalId) => {
    expectGone((await product.ask('publish', { body: {} })).value)
    expectGone((await product.ask('undo', { body: {} })).value)
    const body = { path: 'a.txt' }
    const params = { sessionId: product.sessionId }
    expectGone((await product.ask('addActiveFile', { params, body })).value, false)
    const decided = await product.ask('decide', {
      params: { approvalId },
      body: { decision: 'approved', by: 'anna' },
    })
    expectGone(decided.value.outcome.outcome.envelope)
  })
  expect((await product.ask('publish', { body: {} })).status).toBe(200)
  expect(product.read('a.txt')).toBe('x\n')
  expect((await product.ask('undo', { body: {} })).status).toBe(200)
  expect(product.read('a.txt')).toBe('a\n')
})
