import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftConflict, Published, Resolved, Review } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { edit } from './draft-calls.ts'

const TEXT = 'one\ntwo\nthree\n'

interface Case {
  readonly draft: (product: Embedded) => Promise<unknown>
  readonly meanwhile: (product: Embedded) => void
  readonly says: string
  /** The folder after deciding and publishing, by side; absent: that side is not offered. */
  readonly theirs: Readonly<Record<string, string | undefined>>
  readonly ours?: Readonly<Record<string, string | undefined>>
}

const arrange = (operation: Readonly<Record<string, string>>) => (product: Embedded) =>
  product.call('file_operations', { operations: [operation] })
const remove = (path: string) => (product: Embedded) => rmSync(join(product.dir, path))
const save = (path: string, text: string | Uint8Array) => (product: Embedded) =>
  product.write(path, text)

const CASES: Readonly<Record<string, Case>> = {
  'an edited file was deleted': {
    draft: product => edit(product, 'a.txt', 'two', 'TWO'),
    meanwhile: remove('a.txt'),
    says: 'the draft changes it, and it was deleted on disk meanwhile',
    theirs: { 'a.txt': undefined },
    ours: { 'a.txt': 'one\nTWO\nthree\n' },
  },
  'a created file exists now': {
    draft: product => product.call('write_text_file', { path: 'new.txt', content: 'mine\n' }),
    meanwhile: save('new.txt', 'theirs\n'),
    says: 'the draft creates this file, and there is a file now',
    theirs: { 'new.txt': 'theirs\n' },
    ours: { 'new.txt': 'mine\n' },
  },
  'a deleted file was changed': {
    draft: arrange({ op: 'delete', path: 'a.txt' }),
    meanwhile: save('a.txt', 'changed\n'),
    says: 'the draft deletes it, and it was changed on disk meanwhile',
    theirs: { 'a.txt': 'changed\n' },
    ours: { 'a.txt': undefined },
  },
  'a moved file was changed': {
    draft: arrange({ op: 'move', from: 'a.txt', to: 'b.txt' }),
    meanwhile: save('a.txt', 'changed\n'),
    says: 'the draft moves a.txt here, and that file was changed on disk meanwhile',
    theirs: { 'a.txt': 'changed\n', 'b.txt': undefined },
    ours: { 'a.txt': undefined, 'b.txt': 'changed\n' },
  },
  'a moved and edited file was changed elsewhere': {
    draft: async product => {
      await edit(product, 'a.txt', 'one', 'ONE')
      await arrange({ op: 'move', from: 'a.txt', to: 'b.txt' })(product)
    },
    meanwhile: save('a.txt', 'one\ntwo\nthree\nfour\n'),
    says: 'the draft moves a.txt here, and that file was changed on disk meanwhile',
    theirs: { 'a.txt': 'ONE\ntwo\nthree\nfour\n', 'b.txt': undefined },
    ours: { 'a.txt': undefined, 'b.txt': 'ONE\ntwo\nthree\nfour\n' },
  },
  'a moved file was deleted': {
    draft: arrange({ op: 'move', from: 'a.txt', to: 'b.txt' }),
    meanwhile: remove('a.txt'),
    says: 'the draft moves a.txt here, and that file was deleted or replaced on disk meanwhile',
    theirs: { 'a.txt': undefined, 'b.txt': undefined },
    ours: { 'a.txt': undefined, 'b.txt': TEXT },
  },
  'the place of a moved file is taken': {
    draft: arrange({ op: 'move', from: 'a.txt', to: 'b.txt' }),
    meanwhile: save('b.txt', 'theirs\n'),
    says: 'the draft moves a.txt here, and there is a file now',
    theirs: { 'a.txt': TEXT, 'b.txt': 'theirs\n' },
    ours: { 'a.txt': undefined, 'b.txt': TEXT },
  },
  'the place of a copy is taken': {
    draft: arrange({ op: 'copy', from: 'a.txt', to: 'b.txt' }),
    meanwhile: save('b.txt', 'theirs\n'),
    says: 'the draft copies a file here, and there is a file now',
    theirs: { 'a.txt': TEXT, 'b.txt': 'theirs\n' },
    ours: { 'a.txt': TEXT, 'b.txt': TEXT },
  },
  'an edited text is a binary file now': {
    draft: product => edit(product, 'a.txt', 'two', 'TWO'),
    meanwhile: save('a.txt', 'GIF89a\0\0\0\0'),
    says: 'it was replaced on disk meanwhile',
    theirs: { 'a.txt': 'GIF89a\0\0\0\0' },
    ours: { 'a.txt': 'one\nTWO\nthree\n' },
  },
  'an edited file is a folder now': {
    draft: product => edit(product, 'a.txt', 'two', 'TWO'),
    meanwhile: product => {
      remove('a.txt')(product)
      mkdirSync(join(product.dir, 'a.txt'))
    },
    says: 'the place is no file now: Cannot use "a.txt" as a file: a folder has that name',
    theirs: {},
  },
}

describe.each(Object.entries(CASES))('%s', (_, given) => {
  test.each(['theirs', 'ours'] as const)('decided for %s', async side => {
    const product = await embedded({ 'a.txt': TEXT, 'other.txt': 'other\n' })
    await given.draft(product)
    given.meanwhile(product)
    const [conflict] = await conflictsOf(product)
    expect(conflict).toMatchObject({ isFile: true, choices: { theirs: expect.any(String) } })
    expect(conflict!.message).toContain(given.says)
    const expected = given[side]
    expect(conflict!.choices[side] === undefined).toBe(expected === undefined)
    const refused = await product.ask('publish', { body: {} })
    expect(refused.status, 'nothing is written over it').toBe(409)
    const body = { changeIds: [conflict!.changeId], side }
    const { status, value } = await product.ask<Resolved>('resolve', { body })
    if (!expected) return expect(status).toBe(409)
    expect(status, JSON.stringify(value)).toBe(200)
    expect(value.conflicts).toEqual([])
    await product.detach()
    await product.attach()
    await publishRest(product)
    for (const [path, text] of Object.entries(expected))
      expect(existsSync(join(product.dir, path)) ? product.read(path) : undefined).toBe(text)
    expect(product.read('other.txt')).toBe('other\n')
  })
})

test('what a decision for the draft wrote is taken back by an undo', async () => {
  const product = await embedded({ 'a.txt': TEXT })
  await product.call('write_text_file', { path: 'new.txt', content: 'mine\n' })
  product.write('new.txt', 'theirs\n')
  const [conflict] = await conflictsOf(product)
  const body = { changeIds: [conflict!.changeId], side: 'ours' }
  await product.ask('resolve', { body })
  const { value } = await product.ask<Review>('review')
  expect(value.diffs[0]!.diff, 'what it replaces is shown').toContain('-theirs\n+mine\n')
  await publishRest(product)
  expect(product.read('new.txt')).toBe('mine\n')
  expect((await product.ask('undo', { body: {} })).status).toBe(200)
  expect(product.read('new.txt')).toBe('theirs\n')
})

test('a file that a copy was made of is not given up alone', async () => {
  const product = await embedded({ 'a.txt': TEXT })
  await edit(product, 'a.txt', 'two', 'TWO')
  await arrange({ op: 'copy', from: 'a.txt', to: 'b.txt' })(product)
  rmSync(join(product.dir, 'a.txt'))
  const [conflict] = await conflictsOf(product)
  const body = { changeIds: [conflict!.changeId], side: 'theirs' }
  const { status, value } = await product.ask('resolve', { body })
  expect(status).toBe(400)
  expect(value.message).toMatch(/^Nothing was decided: .* \(b\.txt\) needs what would be given up/)
})

async function conflictsOf(product: Embedded): Promise<readonly DraftConflict[]> {
  const { status, value } = await product.ask<Review>('review')
  expect(status, JSON.stringify(value)).toBe(200)
  return value.conflicts!
}

async function publishRest(product: Embedded): Promise<void> {
  const { status, value } = await product.ask<Published>('publish', { body: {} })
  expect(status, JSON.stringify(value)).toBe(200)
}

test('a csv that somebody else saved keeps both changes, when it is published and when that is undone', async () => {
  const rows = Array.from({ length: 9 }, (_, row) => `item ${row};${row}`)
  const product = await embedded({ 'a.csv': rows.join('\n') })
  await edit(product, 'a.csv', 'item 1;1', 'item 1;one')
  product.write('a.csv', rows.with(8, 'item 8;eight').join('\n'))
  expect(await conflictsOf(product)).toEqual([])
  const published = await product.ask<Published>('publish', { body: {} })
  expect(published.status).toBe(200)
  expect(product.read('a.csv')).toMatch(/item 1;one\n.*item 8;eight$/s)
  product.write('a.csv', product.read('a.csv').replace('item 5;5', 'item 5;five'))
  const undone = await product.ask('undo', { body: { draftId: published.value.draftId } })
  expect(undone.status, JSON.stringify(undone.value)).toBe(200)
  expect(product.read('a.csv')).toMatch(/item 1;1\n.*item 5;five\n.*item 8;eight$/s)
})
