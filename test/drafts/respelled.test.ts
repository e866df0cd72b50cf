import { chmodSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryWorkspace } from '@filewright/client'
import type { DraftSummary, Review } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { edit, publish, review } from './draft-calls.ts'

async function move(product: Embedded, from: string, to: string) {
  const operations = [{ op: 'move', from, to }]
  const answer = await product.call('file_operations', { operations })
  expect(answer).toMatchObject({ success: true })
  return answer
}
const names = (product: Embedded) => readdirSync(product.dir).sort()

verifies(
  ['CONTRACT §4 file_operations move', 'CONTRACT §6 permissions kept'],
  'a file is moved to another spelling of its own name, and back by undo, and again by redo',
  async () => {
    const product = await embedded({ 'Readme.md': 'r\n' })
    const isBits = process.platform !== 'win32'
    if (isBits) chmodSync(join(product.dir, 'Readme.md'), 0o755)
    const expectBits = (name: string) =>
      isBits && expect(statSync(join(product.dir, name)).mode & 0o777).toBe(0o755)
    const { results } = await move(product, 'readme.md', 'README.md')
    expect(results).toMatchObject([{ path: 'README.md', message: 'Moved Readme.md to README.md' }])
    const listed = await product.call('list_files', {})
    expect(listed.files).toMatchObject([{ path: 'README.md', draft: 'moved', sizeBytes: 2 }])
    expect((await review(product)).map(({ place, path }) => [path, place])).toEqual([
      ['README.md', 'moved from Readme.md'],
    ])
    await publish(product)
    expect(names(product)).toEqual(['README.md'])
    expectBits('README.md')
    const read = () => product.call('workspace_read_file', { path: 'readme.md' })
    expect(await read()).toMatchObject({ file: { path: 'README.md', content: 'r\n' } })

    expect((await product.ask('undo', { body: {} })).status).toBe(200)
    expect(names(product)).toEqual(['Readme.md'])
    expectBits('Readme.md')
    expect(await read()).toMatchObject({ file: { path: 'Readme.md', content: 'r\n' } })
    expect((await product.ask('redo', { body: {} })).status).toBe(200)
    expect(names(product)).toEqual(['README.md'])
    expectBits('README.md')
    expect(product.read('README.md')).toBe('r\n')
  },
)

test('the store has the file that got another spelling, not its deletion', async () => {
  const product = await embedded({ 'Readme.md': 'r\n' })
  await move(product, 'Readme.md', 'README.md')
  await publish(product)
  await product.detach()
  const away = await product.call('workspace_read_file', { path: 'readme.md' })
  expect(away).toMatchObject({ success: true, file: { path: 'README.md', content: 'r\n' } })
  await product.attach()
  await product.ask('undo', { body: {} })
  await product.detach()
  const back = await product.call('workspace_read_file', { path: 'readme.md' })
  expect(back).toMatchObject({ success: true, file: { path: 'Readme.md', content: 'r\n' } })
})

test('edits before and after the new spelling hold without it', async () => {
  const drafted = async () => {
    const product = await embedded({ 'Readme.md': 'one two\n' })
    await edit(product, 'Readme.md', 'one', 'ONE')
    await move(product, 'Readme.md', 'README.md')
    await edit(product, 'README.md', 'two', 'TWO')
    const changes = await review(product)
    expect(changes.map(({ path, place }) => `${path} ${place}`)).toEqual([
      'README.md moved from Readme.md',
      'README.md line 1',
      'README.md line 1',
    ])
    return { product, changes }
  }
  const whole = await drafted()
  await publish(whole.product)
  expect(names(whole.product)).toEqual(['README.md'])
  expect(whole.product.read('README.md')).toBe('ONE TWO\n')

  const unspelled = await drafted()
  expect((await publish(unspelled.product, [unspelled.changes[0]!])).dropped).toEqual([])
  expect(names(unspelled.product)).toEqual(['Readme.md'])
  expect(unspelled.product.read('Readme.md')).toBe('ONE TWO\n')

  const spelled = await drafted()
  await publish(spelled.product, spelled.changes.slice(1))
  expect(names(spelled.product)).toEqual(['README.md'])
  expect(spelled.product.read('README.md')).toBe('one two\n')
})

test('respelled and back is not moved; respelled twice is moved once', async () => {
  const back = await embedded({ 'Readme.md': 'r\n' })
  await move(back, 'Readme.md', 'README.md')
  await edit(back, 'README.md', 'r', 's')
  await move(back, 'README.md', 'Readme.md')
  expect((await review(back)).map(({ place }) => place)).toEqual(['line 1'])
  await publish(back)
  expect(names(back)).toEqual(['Readme.md'])

  const twice = await embedded({ 'Readme.md': 'r\n' })
  await move(twice, 'Readme.md', 'README.md')
  await move(twice, 'README.md', 'ReadMe.md')
  expect((await review(twice)).map(({ place }) => place)).toEqual(['moved from Readme.md'])
  await publish(twice)
  expect(names(twice)).toEqual(['ReadMe.md'])
})

test('a file with another spelling is moved on, copied and deleted as the one it is', async () => {
  const product = await embedded({ 'A.txt': 'a\n', 'B.txt': 'b\n', 'C.txt': 'c\n' })
  for (const name of ['A', 'B', 'C'])
    await move(product, `${name}.txt`, `${name.toLowerCase()}.txt`)
  await move(product, 'a.txt', 'elsewhere.txt')
  const operations = [
    { op: 'copy', from: 'b.txt', to: 'copy.txt' },
    { op: 'delete', path: 'c.txt' },
  ]
  expect(await product.call('file_operations', { operations })).toMatchObject({ success: true })
  await publish(product)
  expect(names(product)).toEqual(['b.txt', 'copy.txt', 'elsewhere.txt'])
  await product.ask('undo', { body: {} })
  expect(names(product)).toEqual(['A.txt', 'B.txt', 'C.txt'])
})

test('a file that is new in the draft, or replaces a deleted one, can be respelled too', async () => {
  const product = await embedded({ 'Old.txt': 'old\n' })
  await product.call('write_text_file', { path: 'New.txt', content: 'new\n' })
  await move(product, 'New.txt', 'NEW.txt')
  const operations = [{ op: 'delete', path: 'Old.txt' }]
  await product.call('file_operations', { operations })
  await product.call('write_text_file', { path: 'Old.txt', content: 'anew\n' })
  await move(product, 'Old.txt', 'OLD.txt')
  await publish(product)
  expect(names(product)).toEqual(['NEW.txt', 'OLD.txt'])
  expect(product.read('OLD.txt')).toBe('anew\n')
})

test('a draft with another spelling is the same after a restart', async () => {
  const product = await embedded({ 'Readme.md': 'one\n' })
  await move(product, 'Readme.md', 'README.md')
  await edit(product, 'readme.md', 'one', 'two')
  const before = (await product.ask<Review>('review')).value
  await product.detach()
  await product.attach()
  expect((await product.ask<Review>('review')).value).toEqual(before)
})

test('a file that changed on disk meanwhile is rebased under its new name, or found under it already', async () => {
  const product = await embedded({ 'Readme.md': '1\n2\n3\n4\n5\n6\n7\n8\n' })
  await move(product, 'Readme.md', 'README.md')
  await edit(product, 'README.md', '1\n', 'one\n')
  product.write('Readme.md', '1\n2\n3\n4\n5\n6\n7\neight\n')
  const { value: drafts } = await product.ask<readonly DraftSummary[]>('listDrafts')
  expect(drafts[0]!.files).toMatchObject([{ drifted: true }])
  expect(await publish(product)).toMatchObject({ rebased: ['readme.md'] })
  expect(names(product)).toEqual(['README.md'])
  expect(product.read('README.md')).toBe('one\n2\n3\n4\n5\n6\n7\neight\n')

  const renamed = await embedded({ 'Readme.md': 'r\n' })
  await move(renamed, 'Readme.md', 'README.md')
  renameSync(join(renamed.dir, 'Readme.md'), join(renamed.dir, 'README.md'))
  await publish(renamed)
  expect(names(renamed)).toEqual(['README.md'])
  expect(renamed.read('README.md')).toBe('r\n')
})

test.each([{ ignoreCase: true }, { ignoreCase: true, hardLinks: false }])(
  'a disk that folds capitals (%j) has the name in the letters that were asked for, and back',
  async options => {
    const workspace = createMemoryWorkspace({ 'Readme.md': 'r\n' }, options)
    const product = await embedded({}, { workspace })
    const onDisk = () => [...workspace.disk.files()].map(([path, bytes]) => [path, `${bytes}`])
    await move(product, 'readme.md', 'README.md')
    await edit(product, 'Readme.md', 'r', 's')
    await publish(product)
    expect(onDisk()).toEqual([['README.md', '115,10']])
    await product.ask('undo', { body: {} })
    expect(onDisk()).toEqual([['Readme.md', '114,10']])
    await product.ask('redo', { body: {} })
    expect(onDisk()).toEqual([['README.md', '115,10']])
  },
)

test('a file that is deleted, rewritten unchanged and respelled has its new name', async () => {
  const product = await embedded({ 'a.txt': 'one\n' })
  await product.call('file_operations', { operations: [{ op: 'delete', path: 'a.txt' }] })
  await product.call('write_text_file', { path: 'a.txt', content: 'one\n' })
  await move(product, 'a.txt', 'A.txt')
  await publish(product)
  expect(names(product)).toEqual(['A.txt'])
})
