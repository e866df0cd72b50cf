import { describe, expect, test } from 'vitest'
import { edit } from '../drafts/draft-calls.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const SAVED = 'a\nb\nc\nd\ne\nf\n'
const UNSAVED = 'a\nb\nnot saved yet\nd\ne\nf\n'
const IN_AN_EDITOR = '"a.txt" has unsaved changes in an editor'

describe('a file whose unsaved text differs from the disk', () => {
  verifies(
    ['TUL-002 §3 active file first', 'CONTRACT §2 patch on unsaved buffer'],
    'a patch from another session is for the same lines of both, or a conflict',
    async () => {
      const product = await embedded({ 'a.txt': SAVED })
      await open(product, UNSAVED, await product.newSession())
      const onIt = await patch(product, 3, 'c')
      expect(onIt).toMatchObject({ success: false, errorCode: 'CONFLICT' })
      expect(onIt.message).toMatch(new RegExp(`^Nothing was written: ${IN_AN_EDITOR}`))
      expect(product.read('a.txt')).toBe(SAVED)
      const beside = await patch(product, 6, 'f')
      expect(beside).toMatchObject({ success: true })
      expect(beside.warnings.join()).toContain(IN_AN_EDITOR)
      expect(product.read('a.txt')).toBe(SAVED.replace('f', 'F'))
    },
  )

  test.each([
    ['the session that has it open', true],
    ['another session', false],
  ])('is not replaced as a whole from %s', async (_, isOwn) => {
    const product = await embedded({ 'a.txt': SAVED })
    await open(product, UNSAVED, isOwn ? product.sessionId : await product.newSession())
    const replaced = await create(product, 'mine\n', true)
    expect(replaced).toMatchObject({ success: false, errorCode: 'CONFLICT', kind: 'conflict' })
    expect(replaced.message).toContain(IN_AN_EDITOR)
    expect(product.read('a.txt')).toBe(SAVED)
  })

  test('is replaced once the text is on disk, or closed', async () => {
    const product = await embedded({ 'a.txt': SAVED })
    await open(product, UNSAVED)
    product.write('a.txt', UNSAVED)
    expect(await create(product, 'mine\n', true)).toMatchObject({ success: true })
    await open(product, UNSAVED)
    expect(await create(product, 'again\n', true)).toMatchObject({ success: false })
    await close(product)
    expect(await create(product, 'again\n', true)).toMatchObject({ success: true })
  })

  test('is not created under it, when it was never on disk', async () => {
    const product = await embedded({})
    await open(product, 'first words\n')
    expect(await create(product, 'mine\n')).toMatchObject({ errorCode: 'CONFLICT' })
    expect(() => product.read('a.txt')).toThrow('ENOENT')
  })

  test.each(['patch', 'create'] as const)(
    'is not written when it was typed between a %s and its approval',
    async which => {
      const product = await embedded({ 'a.txt': SAVED })
      const { approvalId } =
        which === 'patch'
          ? await patch(product, 3, 'c', 'ask')
          : await create(product, 'mine\n', true, 'ask')
      await open(product, UNSAVED)
      const body = { decision: 'approved' }
      const decided = await product.ask('decide', { params: { approvalId }, body })
      const { envelope } = decided.value.outcome.outcome
      expect(envelope).toMatchObject({ success: false, errorCode: 'CONFLICT' })
      expect(envelope.message).toContain(IN_AN_EDITOR)
      expect(product.read('a.txt')).toBe(SAVED)
    },
  )

  test.each([
    ['the same line', (product: Embedded) => edit(product, 'a.txt', 'c', 'C')],
    [
      'the whole file',
      (product: Embedded) =>
        product.call('write_text_file', { path: 'a.txt', content: SAVED.replace('f', 'F') }),
    ],
  ] as const)('is not published where the draft changes %s', async (_, change) => {
    const product = await embedded({ 'a.txt': SAVED })
    await change(product)
    await open(product, UNSAVED)
    const { status, value } = await product.ask('publish', { body: {} })
    expect(status).toBe(409)
    expect(value.message).toMatch(new RegExp(`^Nothing was written: ${IN_AN_EDITOR}`))
    expect(product.read('a.txt')).toBe(SAVED)
    await close(product)
    expect((await product.ask('publish', { body: {} })).status).toBe(200)
  })

  test('is published where the draft changes other lines', async () => {
    const product = await embedded({ 'a.txt': SAVED })
    await edit(product, 'a.txt', 'f', 'F')
    await open(product, UNSAVED)
    const { status, value } = await product.ask('publish', { body: {} })
    expect(status, JSON.stringify(value)).toBe(200)
    expect(value.warnings.join()).toContain(IN_AN_EDITOR)
    expect(product.read('a.txt')).toBe(SAVED.replace('f', 'F'))
  })
})

function open(product: Embedded, buffer: string, sessionId = product.sessionId) {
  const body = { path: 'a.txt', buffer }
  return product.ask('addActiveFile', { params: { sessionId }, body })
}

function close(product: Embedded) {
  const params = { sessionId: product.sessionId }
  return product.ask('removeActiveFile', { params, query: { path: 'a.txt' } })
}

function create(
  product: Embedded,
  content: string,
  overwrite = false,
  approve: 'all' | 'ask' = 'all',
) {
  return product.call('workspace_create_file', { path: 'a.txt', content, overwrite }, { approve })
}

async function patch(
  product: Embedded,
  line: number,
  text: string,
  approve: 'all' | 'ask' = 'all',
) {
  const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
  const change = {
    operation: 'replace',
    startLine: line,
    endLine: line,
    expectedOriginalLines: [text],
    newLines: [text.toUpperCase()],
  }
  const files = [{ docPath: 'a.txt', originalSha256: file.version, changes: [change] }]
  return product.call('workspace_write_patch', { files }, { approve })
}
