import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftSummary, Review } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const folderOf = (product: Embedded, name: string) => join(product.stateRoot, 'drafts', name)
const namesIn = (product: Embedded, name: string) =>
  existsSync(folderOf(product, name)) ? readdirSync(folderOf(product, name)) : []

async function drafted() {
  const product = await embedded({ 'a.txt': 'one\n' })
  await product.call('write_text_file', { path: 'new.txt', content: 'first\n' })
  await product.call('write_text_file', { path: 'new.txt', content: 'second\n' })
  await product.detach()
  const [name] = namesIn(product, 'open')
  const path = join(folderOf(product, 'open'), name!)
  return { product, name: name!, path, id: name!.replace('.jsonl', '') }
}

async function listed(product: Embedded): Promise<readonly DraftSummary[]> {
  const { status, value } = await product.ask<readonly DraftSummary[]>('listDrafts')
  expect(status, JSON.stringify(value)).toBe(200)
  return value
}

const damages: [what: string, damage: (log: string) => string][] = [
  ['its first line is no JSON', log => `x${log}`],
  ['its first line is of another kind', log => `{"type":"close"}\n${log}`],
  ['its beginning was lost with a block of the disk', log => `${'\0'.repeat(40)}${log.slice(40)}`],
  ['a line in it is no JSON', log => log.replace('\n', '\n{"type":\n')],
  ['a line in it is null', log => log.replace('\n', '\nnull\n')],
]

for (const [what, damage] of damages)
  verifies(
    'CONTRACT §6 damaged draft told',
    `a draft is reported and kept when ${what}`,
    async () => {
      const { product, name, path, id } = await drafted()
      const damaged = damage(readFileSync(path, 'utf8'))
      writeFileSync(path, damaged)
      await product.attach()
      const [summary] = await listed(product)
      expect(summary).toMatchObject({ id, state: 'damaged', files: [] })
      expect(summary!.trouble).toContain(`drafts/damaged/${name}`)
      expect(readFileSync(join(folderOf(product, 'damaged'), name), 'utf8')).toBe(damaged)
      const review = await product.ask('review', { query: { draftId: id } })
      expect(review).toMatchObject({ status: 404 })
      expect(review.value.message).toContain('is damaged')

      const again = await product.call('write_text_file', { path: 'new.txt', content: 'anew\n' })
      expect(again).toMatchObject({ success: true })
      expect((await product.ask('publish', { body: {} })).status).toBe(200)
      expect(product.read('new.txt')).toBe('anew\n')
      await product.detach()
      await product.attach()
      expect((await listed(product)).map(({ state }) => state)).toEqual(['damaged', 'published'])
    },
  )

test('a closed draft that cannot be read is reported, and the others are listed', async () => {
  const product = await embedded({})
  for (const content of ['one\n', 'two\n']) {
    await product.call('write_text_file', { path: 'a.txt', content })
    await product.ask('publish', { body: {} })
  }
  await product.detach()
  const [name] = namesIn(product, 'closed')
  writeFileSync(join(folderOf(product, 'closed'), name!), 'not a draft\n')
  await product.attach()
  const both = await Promise.all([listed(product), listed(product)])
  for (const all of [...both, await listed(product)])
    expect(all.filter(({ state }) => state === 'published')).toHaveLength(1)
  expect((await listed(product)).map(({ state }) => state)).toEqual(['damaged', 'published'])
})

test('a last line that a crash cut off is dropped, and the draft continues', async () => {
  const { product, path } = await drafted()
  const whole = readFileSync(path, 'utf8')
  appendFileSync(path, whole.split('\n')[1]!.slice(0, 100))
  await product.attach()
  expect((await listed(product)).map(({ state }) => state)).toEqual(['open'])
  expect(await product.call('read_file', { path: 'new.txt' })).toMatchObject({
    content: 'second\n',
  })
  const edits = [{ search: 'second', replace: 'third' }]
  await product.call('edit_text_file', { path: 'new.txt', edits })
  await product.detach()
  await product.attach()
  const { value } = await product.ask<Review>('review')
  expect(value.changes.map(({ place }) => place)).toEqual(['new file', 'line 1', 'line 1'])
  await product.ask('publish', { body: {} })
  expect(product.read('new.txt')).toBe('third\n')
})

test('a first line that a crash cut off leaves no draft: none was reported', async () => {
  const { product, path } = await drafted()
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 100))
  await product.attach()
  expect(await listed(product)).toEqual([])
  expect([...namesIn(product, 'open'), ...namesIn(product, 'damaged')]).toEqual([])
})
