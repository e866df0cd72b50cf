import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openDraftStore } from '../../packages/client/src/draft/draft-store.ts'
import { openClientState } from '../../packages/client/src/embedded/open-client-state.ts'
import { removeOldState } from '../../packages/client/src/retention.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

verifies(
  ['CONTRACT §7 limit checkpoints', 'CONTRACT §7 limit open draft kept'],
  'after 30 days checkpoints and closed drafts are gone with their bytes; an open draft is whole',
  async () => {
    let now = Date.now()
    const product = await embedded(
      { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
      { now: () => new Date(now++) },
    )
    await edit(product, 'a.txt', 'published', product.sessionId)
    await product.ask('publish', { body: {} })
    await edit(product, 'b.txt', 'discarded', product.sessionId)
    await product.ask('discard', { body: {} })
    const other = await product.newSession()
    await edit(product, 'c.txt', 'still open', other)
    expect(blobsOf(product)).toBe(3)

    now += LIMITS.retentionMs - 60_000
    await restart(product)
    expect(await statesOf(product)).toEqual(['published', 'discarded', 'open'])

    now += 25 * 60 * 60 * 1000
    await restart(product)
    expect(await statesOf(product)).toEqual(['open'])
    expect(blobsOf(product)).toBe(1)
    expect((await product.ask('undo', { body: {} })).status).toBe(404)
    expect(product.read('a.txt')).toBe('published\n')
    expect((await product.ask('publish', { body: {} })).status).toBe(200)
    expect(product.read('c.txt')).toBe('still open\n')
  },
)

verifies(
  ['CONTRACT §7 limit checkpoints', 'CONTRACT §7 limit open draft kept'],
  'beyond the bytes that may be kept the oldest go first, and never an open draft',
  async () => {
    const big = (letter: string) => `${letter.repeat(100_000)}\n`
    let ms = Date.now()
    const now = () => new Date(ms++)
    const files = { '1.txt': big('1'), '2.txt': big('2'), '3.txt': big('3') }
    const product = await embedded(files, { now })
    for (const path of ['1.txt', '2.txt']) {
      await product.call('write_text_file', { path, content: 'new\n' })
      await product.ask('publish', { body: {} })
    }
    await product.call('write_text_file', { path: '3.txt', content: 'new\n' })
    await product.detach()

    const state = await openClientState(product.stateRoot)
    const { checkpoints } = state
    const drafts = await openDraftStore(state.drafts)
    const options = { ...state, drafts, now: Date.now() }
    expect(await removeOldState(options)).toEqual({ checkpoints: 0, drafts: 0, blobs: 0 })
    // room for the open draft and for what the second publish kept: the old file and undo's copy of it
    const removed = await removeOldState({ ...options, maxBytes: 450_000 })
    expect(removed).toMatchObject({ checkpoints: 1, drafts: 1 })
    expect((await checkpoints.list()).flatMap(({ files }) => files.map(file => file.path))).toEqual(
      ['2.txt'],
    )
    expect((await drafts.list()).map(draft => draft.state)).toEqual(['published', 'open'])
    await removeOldState({ ...options, maxBytes: 1 })
    expect((await drafts.list()).map(draft => draft.state)).toEqual(['open'])
    state.close()
    await product.attach()
    expect((await product.ask('publish', { body: {} })).status).toBe(200)
    expect(product.read('3.txt')).toBe('new\n')
  },
)

test('a start with the clock far ahead does not keep old data for ever', async () => {
  let now = Date.now() + 1000 * LIMITS.retentionMs
  const product = await embedded({ 'a.txt': 'a\n' }, { now: () => new Date(now++) })
  await restart(product)
  now = Date.now()
  await edit(product, 'a.txt', 'published', product.sessionId)
  await product.ask('publish', { body: {} })
  await restart(product)
  expect(await statesOf(product)).toEqual(['published'])
  now += LIMITS.retentionMs + 25 * 60 * 60 * 1000
  await restart(product)
  expect(await statesOf(product)).toEqual([])
})

verifies(
  'CONTRACT §6 damaged draft told',
  'what a damaged draft names is kept with it',
  async () => {
    let now = Date.now()
    const product = await embedded({ 'a.txt': 'a\n' }, { now: () => new Date(now++) })
    await edit(product, 'a.txt', 'damaged', product.sessionId)
    const open = join(product.stateRoot, 'drafts/open')
    await product.detach()
    appendFileSync(join(open, readdirSync(open)[0]!), 'no line of a draft\n')
    await product.attach()
    now += LIMITS.retentionMs + 25 * 60 * 60 * 1000
    await restart(product)
    expect(await statesOf(product)).toEqual(['damaged'])
    expect(blobsOf(product)).toBe(1)
  },
)

async function edit(product: Embedded, path: string, replace: string, sessionId: string) {
  const search = path[0]!
  const edits = [{ search, replace }]
  const edited = await product.call('edit_text_file', { path, edits }, { sessionId })
  expect(edited.success).toBe(true)
}

async function restart(product: Embedded) {
  await product.detach()
  await product.attach()
  await product.detach() // waits for work that began at the start
  await product.attach()
}

async function statesOf(product: Embedded): Promise<string[]> {
  const { value } = await product.ask('listDrafts')
  return value.map((draft: { state: string }) => draft.state)
}

function blobsOf({ stateRoot }: Embedded): number {
  const entries = readdirSync(join(stateRoot, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).length
}
