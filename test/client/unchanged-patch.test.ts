import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'

test('a patch that changes nothing asks nobody', async () => {
  const product = await embedded({ 'a.txt': 'one\ntwo\n' })
  const same = {
    operation: 'replace',
    startLine: 1,
    endLine: 1,
    expectedOriginalLines: ['one'],
    newLines: ['one'],
  }
  const originalSha256 = createHash('sha256').update('one\ntwo\n').digest('hex')
  const files = [{ docPath: 'a.txt', originalSha256, changes: [same] }]
  const answer = await product.call('workspace_write_patch', { files }, { approve: 'ask' })
  expect(answer).toMatchObject({ success: true })
  expect(answer.message).toMatch(/nothing|already|no file/i)
  expect((await product.ask('listApprovals')).value).toEqual([])
  const other = [{ ...files[0], changes: [{ ...same, newLines: ['uno'] }] }]
  const asked = await product.call('workspace_write_patch', { files: other }, { approve: 'ask' })
  expect(asked).toMatchObject({ pending: true })
})
