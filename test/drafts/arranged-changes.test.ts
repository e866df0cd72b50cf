import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftSummary } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { edit, publish, review } from './draft-calls.ts'

async function arrange(product: Embedded, ...operations: object[]) {
  expect(await product.call('file_operations', { operations })).toMatchObject({ success: true })
}
const exists = (product: Embedded, path: string) => existsSync(join(product.dir, path))

verifies(
  'CONTRACT §6 review files',
  'a review shows files created, moved, copied and deleted, and the lines changed in them',
  async () => {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' })
    await product.call('write_text_file', { path: 'new.txt', content: 'new\n' })
    await edit(product, 'a.txt', 'one', 'ONE')
    await arrange(
      product,
      { op: 'move', from: 'a.txt', to: 'moved.txt' },
      { op: 'copy', from: 'b.txt', to: 'copy.txt' },
      { op: 'delete', path: 'c.txt' },
    )
    expect((await review(product)).map(({ path, place }) => [path, place])).toEqual([
      ['new.txt', 'new file'],
      ['moved.txt', 'moved from a.txt'],
      ['moved.txt', 'line 1'],
      ['copy.txt', 'copied from b.txt'],
      ['c.txt', 'file deleted'],
    ])
  },
)

test('a refused move keeps the earlier changes, in the old place, and drops the later ones', async () => {
  const product = await embedded({ 'a.txt': 'one two\n' })
  await edit(product, 'a.txt', 'one', 'ONE')
  await arrange(product, { op: 'move', from: 'a.txt', to: 'b.txt' })
  await edit(product, 'b.txt', 'two', 'TWO')
  const [move, before, after] = await review(product)
  expect(before!.dependsOn).toEqual([])
  expect((await publish(product, [move!])).dropped).toEqual([after!.id])
  expect(product.read('a.txt')).toBe('ONE two\n')
  expect(exists(product, 'b.txt')).toBe(false)
})

verifies(
  'CONTRACT §6 permissions kept',
  'a moved or copied file keeps its permissions',
  async () => {
    const product = await embedded({ 'run.sh': 'echo\n', 'tool.sh': 'true\n' })
    for (const name of ['run.sh', 'tool.sh']) chmodSync(join(product.dir, name), 0o755)
    await arrange(
      product,
      { op: 'move', from: 'run.sh', to: 'bin/run.sh' },
      { op: 'copy', from: 'tool.sh', to: 'bin/tool.sh' },
    )
    await edit(product, 'bin/run.sh', 'echo', 'echo 1')
    await publish(product)
    for (const name of ['run.sh', 'tool.sh'])
      expect(statSync(join(product.dir, 'bin', name)).mode & 0o777).toBe(0o755)
  },
  { skip: process.platform === 'win32' },
)

verifies(
  'CONTRACT §6 permissions kept',
  'a copy of a moved file keeps its permissions, as does a file that replaces one with the same bytes',
  async () => {
    const product = await embedded({ 'run.sh': 'echo\n', a: '', b: '' })
    chmodSync(join(product.dir, 'run.sh'), 0o751)
    chmodSync(join(product.dir, 'b'), 0o700)
    await arrange(
      product,
      { op: 'move', from: 'run.sh', to: 'bin/run.sh' },
      { op: 'copy', from: 'bin/run.sh', to: 'bin/copy.sh' },
      { op: 'delete', path: 'a' },
      { op: 'move', from: 'b', to: 'a' },
    )
    await publish(product)
    const modes = ['bin/run.sh', 'bin/copy.sh', 'a'].map(
      name => statSync(join(product.dir, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o751, 0o751, 0o700])
  },
  { skip: process.platform === 'win32' },
)

test('an edit from before a move is refused without the move', async () => {
  const product = await embedded({ 'a.txt': 'one two\n' })
  await edit(product, 'a.txt', 'one', 'ONE')
  await arrange(product, { op: 'move', from: 'a.txt', to: 'b.txt' })
  await edit(product, 'b.txt', 'two', 'TWO')
  const [, before] = await review(product)
  expect((await publish(product, [before!])).dropped).toEqual([])
  expect(product.read('b.txt')).toBe('one TWO\n')
  expect(exists(product, 'a.txt')).toBe(false)
})

test('a copy that comes to the place of its deleted original is refused without a trace', async () => {
  const product = await embedded({ 'a.txt': 'one two\n' })
  await arrange(
    product,
    { op: 'copy', from: 'a.txt', to: 'copy.txt' },
    { op: 'delete', path: 'a.txt' },
    { op: 'move', from: 'copy.txt', to: 'a.txt' },
  )
  const changes = await review(product)
  await publish(product, changes)
  expect(product.read('a.txt')).toBe('one two\n')
  expect(exists(product, 'copy.txt')).toBe(false)
})

test('two files that swap places are accepted or refused together', async () => {
  const swap = async () => {
    const product = await embedded({ 'a.txt': 'A\n', 'b.txt': 'B\n' })
    await arrange(
      product,
      { op: 'move', from: 'a.txt', to: 't.txt' },
      { op: 'move', from: 'b.txt', to: 'a.txt' },
      { op: 'move', from: 't.txt', to: 'b.txt' },
    )
    return { product, changes: await review(product) }
  }
  const both = await swap()
  await publish(both.product)
  expect([both.product.read('a.txt'), both.product.read('b.txt')]).toEqual(['B\n', 'A\n'])
  const one = await swap()
  expect((await publish(one.product, [one.changes[0]!])).dropped).toEqual([one.changes[1]!.id])
  expect([one.product.read('a.txt'), one.product.read('b.txt')]).toEqual(['A\n', 'B\n'])
})

test('moved away and back is not moved, and a new file where one was moved from needs that move', async () => {
  const back = await embedded({ 'a.txt': 'A\n' })
  await arrange(back, { op: 'move', from: 'a.txt', to: 'b.txt' })
  await edit(back, 'b.txt', 'A', 'AA')
  await arrange(back, { op: 'move', from: 'b.txt', to: 'a.txt' })
  expect((await review(back)).map(({ path, place }) => [path, place])).toEqual([
    ['a.txt', 'line 1'],
  ])

  const taken = await embedded({ 'a.txt': 'A\n' })
  await arrange(taken, { op: 'move', from: 'a.txt', to: 'b.txt' })
  await taken.call('write_text_file', { path: 'a.txt', content: 'new\n' })
  const changes = await review(taken)
  const move = changes.find(({ path }) => path === 'b.txt')!
  const written = changes.find(({ path }) => path === 'a.txt')!
  expect((await publish(taken, [move])).dropped).toEqual([written.id])
  expect(taken.read('a.txt')).toBe('A\n')
})

test('a copy goes with the edit it was taken from, though its source was moved on', async () => {
  const product = await embedded({ 'a.txt': 'A\n' })
  await edit(product, 'a.txt', 'A', 'AA')
  await arrange(
    product,
    { op: 'copy', from: 'a.txt', to: 'copy.txt' },
    { op: 'move', from: 'a.txt', to: 'b.txt' },
  )
  const changes = await review(product)
  const edited = changes.find(({ kind }) => kind === 'lines')!
  const copied = changes.find(({ path }) => path === 'copy.txt')!
  expect((await publish(product, [edited])).dropped).toEqual([copied.id])
  expect(product.read('b.txt')).toBe('A\n')
  expect(exists(product, 'copy.txt')).toBe(false)
})

test('all places of a full write go together', async () => {
  const product = await embedded({ 'a.txt': '1\n2\n3\n4\n5\n' })
  await product.call('write_text_file', { path: 'a.txt', content: 'one\n2\n3\n4\nfive\n' })
  const [first, second] = await review(product)
  expect((await publish(product, [first!])).dropped).toEqual([second!.id])
  expect(product.read('a.txt')).toBe('1\n2\n3\n4\n5\n')
})

test('an empty workbook and a mere copy of one are files to accept or refuse, even with later cells', async () => {
  const product = await embedded({})
  const make = (path: string, more: object) =>
    product.call('xlsx_operations', { path, operations: [], ...more })
  await make('a.xlsx', { create_if_missing: true })
  await make('b.xltx', { copy_from: 'a.xlsx' })
  expect((await make('a.xlsx', { create_if_missing: true })).message).toContain(
    'nothing was changed',
  )
  const cells = [{ cell: 'A1', value: 1 }]
  const operations = [{ op: 'set_cells', sheet: 'Sheet1', cells }]
  await product.call('xlsx_operations', { path: 'b.xltx', operations })
  const [made, copied, cell] = await review(product)
  expect([made!.place, copied!.place, cell!.place]).toEqual([
    'new file',
    'new file, a copy of a.xlsx',
    'Sheet1!A1',
  ])
  expect(cell!.dependsOn).toEqual([copied!.id])
  expect((await publish(product, [copied!])).dropped).toEqual([cell!.id])
  expect([exists(product, 'a.xlsx'), exists(product, 'b.xltx')]).toEqual([true, false])
})

test('the change that a call reports for a new file is the one in the review', async () => {
  const product = await embedded({ 'old.txt': 'old\n' })
  await arrange(product, { op: 'delete', path: 'old.txt' })
  for (const path of ['new.txt', 'old.txt']) {
    const made = await product.call('write_text_file', { path, content: 'a\nb\n' })
    const [change] = (await review(product)).filter(({ docPath }) => docPath === path)
    expect(made).toMatchObject({ changes: [{ id: change!.id, place: change!.place }] })
  }
})

test('a file that replaces a deleted one is reported as such', async () => {
  const product = await embedded({ 'a.txt': 'A\n', 'b.txt': 'B\n', 'c.txt': 'C\n' })
  await arrange(
    product,
    { op: 'delete', path: 'a.txt' },
    { op: 'copy', from: 'c.txt', to: 'a.txt' },
    { op: 'delete', path: 'b.txt' },
    { op: 'move', from: 'c.txt', to: 'b.txt' },
  )
  expect((await review(product)).map(({ path, place }) => [path, place])).toEqual([
    ['a.txt', 'copied from c.txt, in place of the file that was here'],
    ['b.txt', 'moved from c.txt, in place of the file that was here'],
  ])
})

verifies(
  'CONTRACT §6 publish needs an undecided one',
  'a choice of changes that depends on others is refused, and names them',
  async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    await edit(product, 'a.txt', 'one', 'two')
    await edit(product, 'a.txt', 'two', 'three')
    await edit(product, 'a.txt', 'three', 'four')
    const before = await review(product)
    const [first, second, last] = before
    const { value } = await product.ask('publish', { body: { only: [last!.id] } })
    expect(value).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(`Name those too: ${first!.id}, ${second!.id}.`),
    })
    expect(product.read('a.txt')).toBe('one\n')
    expect(await review(product)).toEqual(before)
    const needed = await product.ask('publish', {
      body: { only: [first!.id, second!.id, last!.id] },
    })
    expect(needed.status).toBe(200)
    expect(product.read('a.txt')).toBe('four\n')
  },
)

test.each([
  [{ op: 'move', from: 'docs/a.txt', to: 'Docs/a.txt' }, 'an existing folder keeps its name'],
  [{ op: 'move', from: 'Readme.md', to: 'Readme.md' }, 'cannot be moved onto itself'],
  [{ op: 'copy', from: 'Readme.md', to: 'README.md' }, 'cannot be copied onto itself'],
  [{ op: 'delete', path: 'docs' }, 'Name each file in it: docs/a.txt, docs/deep/b.txt.'],
  [{ op: 'move', from: 'docs', to: 'texts' }, '"docs" is a folder'],
  [{ op: 'move', from: 'docs/a.txt', to: 'docs' }, '"docs" is the name of a folder'],
])('%j is refused with what would work', async (operation, reason) => {
  const product = await embedded({
    'Readme.md': 'r\n',
    'docs/a.txt': 'a\n',
    'docs/deep/b.txt': 'b\n',
  })
  const answer = await product.call('file_operations', { operations: [operation] })
  expect(answer).toMatchObject({ success: false })
  expect(answer.message).toMatch(/^Nothing was written: /)
  expect(answer.message).toContain(reason)
})

test('the files of a folder are named as the draft and the disk have them now', async () => {
  const product = await embedded({
    '.gitignore': 'built\n',
    'built/x.txt': 'x\n',
    'docs/a.txt': 'a\n',
    'docs/b.txt': 'b\n',
  })
  const refusal = async (from: string) => {
    const operations = [{ op: 'move', from, to: 'texts' }]
    return (await product.call('file_operations', { operations })).message
  }
  expect(await refusal('docs')).toContain('Name each file in it: docs/a.txt, docs/b.txt.')
  await arrange(product, { op: 'delete', path: 'docs/a.txt' })
  product.write('docs/c.txt', 'c\n')
  expect(await refusal('docs')).toContain('Name each file in it: docs/b.txt, docs/c.txt.')
  expect(await refusal('built')).toContain('its files are ignored')
})

verifies(
  'CONTRACT §6 rest replayed',
  'an edit from before a deletion is listed with it, and stays when the deletion is refused',
  async () => {
    const deleted = async () => {
      const product = await embedded({ 'a.txt': 'one\ntwo\nthree\n' })
      await edit(product, 'a.txt', 'one', 'ONE')
      await edit(product, 'a.txt', 'three', 'THREE')
      await arrange(product, { op: 'delete', path: 'a.txt' })
      const { value: drafts } = await product.ask<readonly DraftSummary[]>('listDrafts')
      expect(drafts[0]!.files).toMatchObject([{ action: 'deleted', changes: 3 }])
      return { product, changes: await review(product) }
    }
    const kept = await deleted()
    expect(kept.changes.map(({ place }) => place)).toEqual([
      'file deleted',
      'line 1, if the file is kept',
      'line 3, if the file is kept',
    ])
    await publish(kept.product, [kept.changes[0]!, kept.changes[2]!])
    expect(kept.product.read('a.txt')).toBe('ONE\ntwo\nthree\n')

    const gone = await deleted()
    await publish(gone.product, [gone.changes[1]!])
    expect(exists(gone.product, 'a.txt')).toBe(false)
  },
)

test('a file that was moved, edited and deleted stays in place, with its edits, when the deletion is refused', async () => {
  const product = await embedded({ 'a.txt': 'one two\n' })
  await edit(product, 'a.txt', 'one', 'ONE')
  await arrange(product, { op: 'move', from: 'a.txt', to: 'b.txt' })
  await edit(product, 'b.txt', 'two', 'TWO')
  await arrange(product, { op: 'delete', path: 'b.txt' })
  const [deletion] = await review(product)
  expect(deletion).toMatchObject({ path: 'a.txt', place: 'file deleted' })
  await publish(product, [deletion!])
  expect(product.read('a.txt')).toBe('ONE TWO\n')
  expect(exists(product, 'b.txt')).toBe(false)
})
