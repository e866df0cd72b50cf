import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'

const edit = (path: string) => ({ path, edits: [{ search: 'one', replace: 'two' }] })

test.each([
  ['a.txt', 'link'],
  ['link', 'a.txt'],
  ['link', 'other-link'],
])('after an edit of %s the same file is not edited as %s', async (first, second) => {
  const product = await embedded({ 'a.txt': 'one\n' })
  symlinkSync('a.txt', join(product.dir, 'link'))
  symlinkSync('a.txt', join(product.dir, 'other-link'))
  expect(await product.call('edit_text_file', edit(first))).toMatchObject({ success: true })
  const refused = await product.call('edit_text_file', edit(second))
  expect(refused).toMatchObject({ success: false, kind: 'conflict' })
  expect(refused.message).toBe(
    `Nothing was written: "${second}" and "${first}", which the draft changes already, are one file, one of them through a link. Go on with "${first}".`,
  )
  const again = { path: first, edits: [{ search: 'two', replace: 'three' }] }
  expect(await product.call('edit_text_file', again)).toMatchObject({ success: true })
  expect((await product.ask('publish', { body: { by: 'me' } })).status).toBe(200)
  expect(product.read(second)).toBe('three\n')
})

test('a file whose link the draft changes is not deleted below it', async () => {
  const product = await embedded({ 'a.txt': 'one\n' })
  symlinkSync('a.txt', join(product.dir, 'link'))
  await product.call('edit_text_file', edit('link'))
  const operations = [{ op: 'delete', path: 'a.txt' }]
  expect(await product.call('file_operations', { operations })).toMatchObject({
    success: false,
    message: expect.stringContaining('"a.txt" and "link", which the draft changes already'),
  })
})
