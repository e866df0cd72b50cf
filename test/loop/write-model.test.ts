import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect } from 'vitest'
import { sandbox } from '../cli.ts'
import { type Answer, type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const PATCH = 'workspace_write_patch'
const CREATE = 'workspace_create_file'

describe('drafts', () => {
  verifies(
    ['CONTRACT §6 several drafts', 'CONTRACT §6 one draft per session'],
    'two sessions work on one file in drafts of their own and do not see each other',
    async () => {
      const product = await embedded({ 'a.txt': 'one\ntwo\n' })
      const other = await product.newSession()
      await edit(product, 'one', 'ONE')
      await edit(product, 'two', 'TWO', other)
      await edit(product, 'ONE', 'Eins')
      expect((await read(product)).content).toBe('Eins\ntwo\n')
      expect((await read(product, other)).content).toBe('one\nTWO\n')
      const { value: drafts } = await product.ask('listDrafts')
      expect(drafts.map((draft: Answer) => [draft.sessionId, draft.state])).toEqual(
        expect.arrayContaining([
          [product.sessionId, 'open'],
          [other, 'open'],
        ]),
      )
      expect(drafts).toHaveLength(2)
    },
  )

  verifies(
    ['CONTRACT §6 moved base rebased', 'CONTRACT §6 publish accepted only'],
    'a base that changed elsewhere is rebased and both changes hold; one that changed here is a conflict',
    async () => {
      const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`)
      const text = `${lines.join('\n')}\n`
      const product = await embedded({ 'a.txt': text })
      await edit(product, 'line 15', 'edited 15')
      product.write('a.txt', text.replace('line 2\n', 'line 2\nput between by another program\n'))
      const { status, value } = await product.ask('publish', { body: {} })
      expect(status).toBe(200)
      expect(value.rebased).toEqual(['a.txt'])
      expect(product.read('a.txt')).toContain('put between by another program')
      expect(product.read('a.txt')).toContain('edited 15')

      await edit(product, 'line 7', 'edited 7')
      product.write('a.txt', product.read('a.txt').replace('line 7', 'taken by another program'))
      const before = product.read('a.txt')
      const refused = await product.ask('publish', { body: {} })
      expect(refused.status).toBe(409)
      expect(product.read('a.txt')).toBe(before)
    },
  )

  verifies(
    'CONTRACT §6 discard',
    'a discarded draft leaves the folder as it is, and the next one begins with the files',
    async () => {
      const product = await embedded({ 'a.txt': 'one\n' })
      await edit(product, 'one', 'other')
      await product.call('write_text_file', { path: 'new.txt', content: 'new\n' })
      expect((await product.ask('discard', { body: {} })).status).toBe(200)
      expect(product.read('a.txt')).toBe('one\n')
      expect(existsSync(join(product.dir, 'new.txt'))).toBe(false)
      expect((await read(product)).content).toBe('one\n')
      expect((await product.ask('publish', { body: {} })).status).toBe(404)
    },
  )

  verifies(
    ['CONTRACT §6 clock, author and seed recorded', 'CONTRACT §6 draft is a log'],
    'the log of a draft has the clock, author and seed of each operation, and replays to the same bytes',
    async () => {
      const product = await embedded({}, { now: () => new Date('2026-03-04T05:06:07.000Z') })
      await product.call('xlsx_operations', {
        path: 'a.xlsx',
        create_if_missing: true,
        operations: [
          { op: 'ensure_sheet', sheet: 'S' },
          { op: 'set_cells', sheet: 'S', cells: [{ cell: 'A1', value: 'x' }] },
        ],
      })
      const operations = linesOf(product).flatMap(line => line.operations ?? [])
      expect(operations.length).toBeGreaterThan(0)
      for (const [i, operation] of operations.entries())
        expect(operation.circumstances).toEqual({
          time: '2026-03-04T05:06:07.000Z',
          author: expect.any(String),
          seed: expect.any(Number),
          ...(i === 0 && { onBlank: true }),
        })
      const other = await embedded({}, { now: () => new Date('2027-01-01T00:00:00.000Z') })
      await other.detach()
      for (const folder of ['drafts', 'blobs'])
        cpSync(join(product.stateRoot, folder), join(other.stateRoot, folder), { recursive: true })
      await other.attach()
      const [own, replayed] = await Promise.all(
        [product, other].map(async each => {
          expect((await each.ask('publish', { body: {} })).status).toBe(200)
          return readFileSync(join(each.dir, 'a.xlsx'))
        }),
      )
      expect(own!.equals(replayed!)).toBe(true)
    },
  )

  verifies(
    'CONTRACT §6 draft survives a crash',
    'a draft is whole after kill -9, and another process publishes it',
    async () => {
      const box = sandbox({ 'a.txt': 'one\n' })
      const child = box.start(['call', '--lines'])
      const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
      for (const [path, content] of [
        ['a.txt', 'two\n'],
        ['deep/b.txt', 'b\n'],
      ]) {
        const line = { tool: 'write_text_file', arguments: { path, content } }
        child.stdin!.write(`${JSON.stringify(line)}\n`)
        expect(JSON.parse((await answers.next()).value).result.success).toBe(true)
      }
      const closed = new Promise(resolve => child.on('close', resolve))
      child.kill('SIGKILL')
      await closed
      expect(box.read('a.txt')).toBe('one\n')
      expect((await box.run(['review'])).stdout).toContain('deep/b.txt')
      expect((await box.run(['publish', '--yes'])).code).toBe(0)
      expect([box.read('a.txt'), box.read('deep/b.txt')]).toEqual(['two\n', 'b\n'])
    },
  )
})

describe('one write model', () => {
  verifies(
    ['CONTRACT §6 batch is a one-call draft', 'CONTRACT §6 create is a one-call draft'],
    'a batch and a created file are drafts of one call whose review is the approval',
    async () => {
      const product = await embedded({ 'a.txt': 'one\ntwo\n' })
      const { sha256 } = (await product.call('workspace_read_file', { path: 'a.txt' })).file
      const patch = await product.call(PATCH, patchOf(sha256), { approve: 'ask' })
      const create = await product.call(
        CREATE,
        { path: 'b.txt', content: 'b\n' },
        { approve: 'ask' },
      )
      expect([patch.pending, create.pending]).toEqual([true, true])
      const { value: drafts } = await product.ask('listDrafts')
      expect(drafts.map((draft: Answer) => [draft.purpose, draft.state])).toEqual([
        ['one-call', 'open'],
        ['one-call', 'open'],
      ])
      for (const { id } of drafts)
        expect(
          (await product.ask('review', { query: { draftId: id } })).value.changes,
        ).toHaveLength(1)
      for (const { approvalId } of [patch, create])
        await product.ask('decide', { params: { approvalId }, body: { decision: 'approved' } })
      expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['ONE\ntwo\n', 'b\n'])
      const { value: closed } = await product.ask('listDrafts')
      expect(closed.map((draft: Answer) => draft.state)).toEqual(['published', 'published'])
    },
  )

  verifies(
    ['CONTRACT §6 one apply engine', 'CONTRACT §6 undo', 'CONTRACT §6 undo of undo'],
    'a batch, a created file and a draft are change sets alike: each is taken back and put again by the same undo',
    async () => {
      const product = await embedded({ 'a.txt': 'one\ntwo\n' })
      const { sha256 } = (await product.call('workspace_read_file', { path: 'a.txt' })).file
      await product.call(PATCH, patchOf(sha256))
      await product.call(CREATE, { path: 'b.txt', content: 'b\n' })
      await edit(product, 'two', 'TWO')
      await product.detach()
      await product.attach()
      await product.ask('publish', { body: {} })
      const states = [tree(product)]
      for (let steps = 0; steps < 3; steps++) {
        expect((await product.ask('undo', { body: {} })).status).toBe(200)
        states.push(tree(product))
      }
      expect(states).toEqual([
        { 'a.txt': 'ONE\nTWO\n', 'b.txt': 'b\n' },
        { 'a.txt': 'ONE\ntwo\n', 'b.txt': 'b\n' },
        { 'a.txt': 'ONE\ntwo\n' },
        { 'a.txt': 'one\ntwo\n' },
      ])
      for (const state of states.slice(0, 3).reverse()) {
        expect((await product.ask('redo', { body: {} })).status).toBe(200)
        expect(tree(product)).toEqual(state)
      }
    },
  )
})

async function edit(
  product: Embedded,
  search: string,
  replace: string,
  sessionId = product.sessionId,
) {
  const edits = [{ search, replace }]
  const edited = await product.call('edit_text_file', { path: 'a.txt', edits }, { sessionId })
  expect(edited).toMatchObject({ success: true })
}

function read(product: Embedded, sessionId = product.sessionId): Promise<Answer> {
  return product.call('read_file', { path: 'a.txt' }, { sessionId })
}

function patchOf(sha256: string) {
  const change = {
    operation: 'replace',
    startLine: 1,
    endLine: 1,
    expectedOriginalLines: ['one'],
    newLines: ['ONE'],
  }
  return { files: [{ docPath: 'a.txt', originalSha256: sha256, changes: [change] }] }
}

function linesOf({ stateRoot }: Embedded): Answer[] {
  const folder = join(stateRoot, 'drafts/open')
  return readdirSync(folder).flatMap(name =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .flatMap(line => JSON.parse(line)),
  )
}

function tree(product: Embedded): Record<string, string> {
  return Object.fromEntries(readdirSync(product.dir).map(name => [name, product.read(name)]))
}
