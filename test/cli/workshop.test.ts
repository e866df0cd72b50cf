import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

test('an edit goes to the draft, a review shows it, a publish writes it, an undo takes it back', async () => {
  const box = sandbox({ 'notes/a.txt': 'one\r\ntwo\r\nthree' })
  const edited = await box.call('edit_text_file', {
    path: 'Notes/A.txt',
    edits: [{ search: 'two', replace: 'TWO' }],
  })
  expect(edited.result).toMatchObject({ success: true, path: 'notes/a.txt', draft: 'changed' })
  expect(box.read('notes/a.txt')).toBe('one\r\ntwo\r\nthree')
  const read = await box.call('read_file', { path: 'notes/a.txt' })
  expect(read.result.content).toBe('one\r\nTWO\r\nthree')
  const review = await box.run(['review'])
  expect(review.stdout).toContain('+TWO')
  const published = await box.run(['publish', '--yes'])
  expect(published).toMatchObject({ code: 0 })
  expect(box.read('notes/a.txt')).toBe('one\r\nTWO\r\nthree')
  expect((await box.run(['undo'])).code).toBe(0)
  expect(box.read('notes/a.txt')).toBe('one\r\ntwo\r\nthree')
  expect((await box.run(['redo'])).code).toBe(0)
  expect(box.read('notes/a.txt')).toBe('one\r\nTWO\r\nthree')
})

test('a new file is in the draft only until it is published, and a discard leaves nothing', async () => {
  const box = sandbox({ 'a.md': '# A\n' })
  await box.call('write_text_file', { path: 'deep/er/b.md', content: '# B\n' })
  expect(box.exists('deep')).toBe(false)
  expect((await box.run(['draft', 'discard'])).code).toBe(0)
  expect((await box.run(['review'])).code).toBe(3)
  await box.call('write_text_file', { path: 'deep/er/b.md', content: '# B\n' })
  await box.run(['publish', '--yes'])
  expect(box.read('deep/er/b.md')).toBe('# B\n')
})

test('copy, move and delete are arranged in the draft and published together', async () => {
  const box = sandbox({
    'a.txt': 'A\n',
    'b.txt': 'B\n',
    'pic.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
  })
  const arranged = await box.call('file_operations', {
    operations: [
      { op: 'copy', from: 'a.txt', to: 'copies/a.txt' },
      { op: 'move', from: 'pic.png', to: 'images/pic.png' },
      { op: 'move', from: 'images/pic.png', to: 'images/final.png' },
      { op: 'delete', path: 'b.txt' },
    ],
  })
  expect(arranged.result.success).toBe(true)
  const published = await box.run(['publish', '--yes', '--json'])
  expect(published.code).toBe(0)
  expect(box.read('copies/a.txt')).toBe('A\n')
  expect([...box.readBytes('images/final.png')]).toEqual([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])
  expect([box.exists('pic.png'), box.exists('images/pic.png'), box.exists('b.txt')]).toEqual([
    false,
    false,
    false,
  ])
  await box.run(['undo'])
  expect([box.exists('pic.png'), box.exists('b.txt'), box.exists('copies')]).toEqual([
    true,
    true,
    false,
  ])
})
