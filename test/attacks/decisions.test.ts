import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

test('a draft is not lost when the only chosen change cannot stand alone', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const edits = [
    { search: 'one', replace: 'two' },
    { search: 'two', replace: 'three' },
  ]
  for (const edit of edits) await box.call('edit_text_file', { path: 'a.txt', edits: [edit] })
  const { changes } = JSON.parse((await box.run(['review', '--json'])).stdout)
  const [first, second] = changes.map(({ id }: { id: string }) => id)

  expect(await box.run(['publish', '--yes', '--only', second])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${second} cannot stand without changes that were left out`),
  })
  expect(await box.run(['publish', '--yes', '--only', first, second])).toMatchObject({ code: 0 })
  expect(box.read('a.txt')).toBe('three\n')
})

test('arguments may begin with a byte order mark', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const input = '\uFEFF{"path": "a.txt"}'
  expect(await box.run(['call', 'read_file', '-'], { input })).toMatchObject({ code: 0 })
})

test('what was approved is not denied afterwards', async () => {
  const box = sandbox()
  const { result } = await box.call('workspace_create_file', { path: 'a.txt', content: 'one\n' })
  expect(await box.run(['approvals', 'approve', result.approvalId])).toMatchObject({ code: 0 })
  expect(await box.run(['approvals', 'deny', result.approvalId])).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining('was approved by'),
  })
  expect(box.read('a.txt')).toBe('one\n')
})
