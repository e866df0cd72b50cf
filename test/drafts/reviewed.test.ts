import type { DraftSummary, Review } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §6 publish what was reviewed',
  'a draft that changed since its review is not published',
  async () => {
    const product = await embedded({ 'a.txt': 'one\ntwo\n' })
    const edit = (search: string, replace: string) =>
      product.call('edit_text_file', { path: 'a.txt', edits: [{ search, replace }] })
    await edit('one', 'ONE')
    const { value: seen } = await product.ask<Review>('review')
    await edit('two', 'unseen')
    const publish = (revision: number) => product.ask('publish', { body: { revision } })
    expect(await publish(seen.draft.revision)).toMatchObject({
      status: 409,
      value: {
        errorCode: 'CONFLICT',
        message: expect.stringMatching(/^Nothing was written: the draft has changed/),
      },
    })
    expect(product.read('a.txt')).toBe('one\ntwo\n')
    const { value: again } = await product.ask<Review>('review')
    expect(await publish(again.draft.revision)).toMatchObject({ status: 200 })
    expect(product.read('a.txt')).toBe('ONE\nunseen\n')
  },
)

test('a new file is reviewed with all its lines, and a very long one says how many there are', async () => {
  const product = await embedded()
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)
  for (const count of [3, 10_000, 10_001])
    await product.call('write_text_file', {
      path: `${count}.txt`,
      content: `${lines(count).join('\n')}\n`,
    })
  const { value } = await product.ask<Review>('review')
  expect(value.changes.map(({ after }) => [after?.lines?.length, after?.lineCount])).toEqual([
    [3, undefined],
    [10_000, undefined],
    [10_000, 10_001],
  ])
})

test('drafts that are open are listed without the closed ones', async () => {
  const product = await embedded()
  const write = (path: string) => product.call('write_text_file', { path, content: 'a\n' })
  await write('first.txt')
  await product.ask('publish', { body: {} })
  await write('second.txt')
  const list = async (query?: Record<string, string>) =>
    (await product.ask<readonly DraftSummary[]>('listDrafts', { query })).value
  const pathsOf = (drafts: readonly DraftSummary[]) =>
    drafts.flatMap(({ files }) => files.map(({ path }) => path))
  expect(pathsOf(await list())).toEqual(['first.txt', 'second.txt'])
  expect(pathsOf(await list({ state: 'open' }))).toEqual(['second.txt'])
})
