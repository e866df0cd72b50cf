import { LIMITS } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { embedded, TOKEN } from '../embedded.ts'

const many = <Each>(count: number, make: (i: number) => Each) =>
  Array.from({ length: count }, (_, i) => make(i))
const insert = (afterLine: number) => ({ operation: 'insert', afterLine, newLines: ['x'] })
const patched = (docPath: string, changes: readonly unknown[]) => ({
  files: [{ docPath, originalSha256: '12345678', changes }],
})

const TOO_MUCH: readonly [string, string, unknown, string][] = [
  ['values', 'edit_text_file', { path: 'a', edits: many(250_000, () => 1) }, '250000 values'],
  [
    'objects',
    'edit_text_file',
    { path: 'a', edits: many(100_000, () => ({})) },
    'objects and lists',
  ],
  ['a list in a text', 'edit_text_file', { path: 'a', edits: '['.repeat(3e6) }, 'must be a list'],
  ['changes', 'workspace_write_patch', patched('a.txt', many(10_001, insert)), '10001 changes'],
  [
    'text lines',
    'workspace_write_patch',
    patched('a.txt', [{ ...insert(0), newLines: many(2e5, () => 1) }]),
    '200 problems',
  ],
  [
    'rows',
    'xlsx_operations',
    { path: 'a.xlsx', operations: [{ op: 'set_cells', cells: many(2e5, () => 1) }] },
    '200 problems',
  ],
  [
    'operations',
    'xlsx_operations',
    { path: 'a.xlsx', operations: many(5e4, () => ({ op: 'no' })) },
    '200 problems',
  ],
  ['a path', 'read_file', { path: 'é/'.repeat(1e6) }, 'longer than 4096 bytes'],
  ['a name', 'x'.repeat(1e6), {}, 'There is no tool'],
]

test.each(TOO_MUCH)(
  'too much is refused by count, in a sentence: %s',
  async (_, tool, args, words) => {
    const product = await embedded({ 'a.txt': 'one\n' })
    const answer = await product.call(tool, args)
    expect(answer).toMatchObject({ success: false, message: expect.stringContaining(words) })
    expect(answer.message.length).toBeLessThan(2_000)
    expect(answer.errors.length).toBeLessThanOrEqual(201)
  },
)

test('a body with more values than a call takes is refused before it is built', async () => {
  const product = await embedded({ 'a.txt': 'one\n' })
  const lists = '[],'.repeat(2 * LIMITS.argumentValues)
  const { server, workspaceId, sessionId } = product
  const at = `http://localhost/api/workspaces/${workspaceId}/sessions/${sessionId}/calls`
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = `{"tool":"read_file","arguments":[${lists}[]]}`
  const answered = await server.fetch(new Request(at, { method: 'POST', headers, body }))
  expect(answered.status).toBe(413)
  expect(await answered.json()).toMatchObject({
    errorCode: 'TOO_LARGE',
    message: expect.stringContaining('500000 values'),
  })
})

test('of many faults the first are explained', async () => {
  const product = await embedded({ 'a.txt': 'one\ntwo\n' })
  const edits = many(2_000, i => ({ search: `nothing ${i}`, replace: 'x' }))
  const edited = await product.call('edit_text_file', { path: 'a.txt', edits })
  expect(edited.message).toContain('edits[20]: from here on the edits were not looked at')
  expect(edited.message).not.toContain('edits[21]')
  const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
  const replace = { operation: 'replace', startLine: 1, endLine: 1, newLines: ['x'] }
  const changes = many(500, i => ({
    ...replace,
    startLine: i + 1,
    endLine: i + 1,
    expectedOriginalLines: ['no'],
  }))
  const batch = await product.call('workspace_write_patch', {
    files: [{ docPath: 'a.txt', originalSha256: file.version, changes }],
  })
  expect(batch.message).toContain('changes[20]: from here on the changes were not checked')
  expect(batch.message).not.toContain('changes[21]')
})
