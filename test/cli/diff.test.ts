import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

verifies('CONTRACT §9 diff', 'diff A B shows how two files of one format differ', async () => {
  const box = sandbox({ 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n2\n' })
  const text = (value: string) => ({ op: 'append_paragraph', text: value })
  for (const [path, words] of [
    ['a.docx', ['Terms', 'The seller delivers.']],
    ['b.docx', ['Terms', 'The vendor delivers.', 'The end.']],
  ] as const)
    await box.call('docx_operations', {
      path,
      create_if_missing: true,
      operations: words.map(text),
    })
  expect((await box.run(['publish', '--yes'])).code).toBe(0)
  const documents = await box.run(['diff', 'a.docx', 'b.docx'])
  expect(documents.stdout).toContain('paragraph 2: The seller delivers. → The vendor delivers.')
  expect(documents.stdout).toContain('paragraph 3: (empty) → The end.')
  expect((await box.run(['diff', 'a.txt', 'b.txt'])).stdout).toContain('-two\n+2')
  expect(await box.run(['diff', 'a.docx', 'a.docx'])).toMatchObject({ code: 0, stdout: '' })
})

test('two files of different formats, and a missing one, are refused', async () => {
  const box = sandbox({ 'a.txt': 'one\n', 'b.docx': 'no zip' })
  const mixed = await box.run(['diff', 'a.txt', 'b.docx'])
  expect(mixed.code).toBe(2)
  expect(mixed.stderr).toContain('"a.txt" is a text file, "b.docx" is a Word document')
  expect((await box.run(['diff', 'a.txt', 'c.txt'])).code).toBe(3)
})
