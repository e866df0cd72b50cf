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
    `Nothing was written: "${second}" and "${first}", which the draft already changes, are the same file, one of them through a link. Continue with "${first}".`,
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
    message: expect.stringContaining('"a.txt" and "link", which the draft already changes'),
  })
})

test('a file written through a link is reported under the name of the link, to the caller and to the store', async () => {
  const product = await embedded({ 'real/a.txt': 'one\n' })
  symlinkSync('real/a.txt', join(product.dir, 'Link.txt'))
  const args = { path: 'link.txt', content: 'two\n', overwrite: true }
  const written = await product.call('workspace_create_file', args, { approve: 'all' })
  expect(written).toMatchObject({ success: true, path: 'Link.txt', docPath: 'link.txt' })
  const { version } = written
  const { file } = await product.call('workspace_read_file', { path: 'link.txt' })
  expect(file).toMatchObject({ path: 'Link.txt', docPath: 'link.txt', version })
  const patched = await product.call(
    'workspace_write_patch',
    {
      files: [
        {
          docPath: 'link.txt',
          originalSha256: version,
          changes: [{ operation: 'insert', afterLine: 1, newLines: ['three'] }],
        },
      ],
    },
    { approve: 'all' },
  )
  expect(patched).toMatchObject({
    success: true,
    files: [{ docPath: 'link.txt', path: 'Link.txt' }],
  })
  expect(product.read('real/a.txt')).toBe('two\nthree\n')
  await product.detach()
  for (const path of ['link.txt', 'real/a.txt'])
    expect(await product.call('workspace_read_file', { path })).toMatchObject({
      success: true,
      file: { docPath: path, content: 'two\nthree\n' },
    })
})
