import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Approval,
  type DraftLine,
  type DraftSummary,
  LIMITS,
  type Review,
} from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const edit = (search: string, replace: string) => ({ edits: [{ search, replace }] })

async function drafts(product: Embedded, state?: string): Promise<readonly DraftSummary[]> {
  const { value } = await product.ask<readonly DraftSummary[]>('listDrafts')
  return state === undefined ? value : value.filter(draft => draft.state === state)
}

async function publish(product: Embedded, body: object = {}) {
  const { status, value } = await product.ask('publish', { body })
  expect(status, JSON.stringify(value)).toBe(200)
  return value
}

describe('drafts of several sessions', () => {
  test('the one touched last is the default, even after the clock was set back and a restart', async () => {
    const noon = Date.UTC(2026, 0, 2, 12)
    let ms = noon
    const product = await embedded({ 'a.txt': 'a\n' }, { now: () => new Date(ms) })
    const other = await product.newSession()
    const expectLast = async (sessionId: string) => {
      const { value } = await product.ask<Review>('review')
      expect(value.draft.sessionId).toBe(sessionId)
      expect((await drafts(product)).at(-1)!.sessionId).toBe(sessionId)
    }
    const clocks = [noon, noon - 86_400_000, noon - 5, noon - 5, noon - 2 * 86_400_000, noon + 1]
    for (const [step, clock] of clocks.entries()) {
      ms = clock
      const sessionId = step % 2 === 0 ? product.sessionId : other
      await product.call('write_text_file', { path: 'b.txt', content: `${step}\n` }, { sessionId })
      await expectLast(sessionId)
      await product.detach()
      await product.attach()
      await expectLast(sessionId)
    }
  })

  verifies(
    ['CONTRACT §6 several drafts', 'CONTRACT §6 one draft per session'],
    'each session works in a draft of its own and sees nothing of the other',
    async () => {
      let ms = Date.UTC(2026, 0, 1)
      const now = () => new Date(ms++) // they are listed by it
      const product = await embedded({ 'a.txt': 'one\ntwo\n' }, { now })
      const other = await product.newSession()
      const read = async (sessionId: string) =>
        (await product.call('read_file', { path: 'a.txt' }, { sessionId })).content
      const own = product.sessionId
      for (const [sessionId, args] of [
        [own, edit('one', 'ONE')],
        [other, edit('two', 'TWO')],
        [own, edit('ONE', 'One')],
      ] as const)
        await product.call('edit_text_file', { path: 'a.txt', ...args }, { sessionId })
      expect([await read(own), await read(other)]).toEqual(['One\ntwo\n', 'one\nTWO\n'])
      const open = await drafts(product, 'open')
      expect(open.map(({ sessionId, files }) => [sessionId, files.length])).toEqual([
        [other, 1],
        [own, 1],
      ])
      expect(product.read('a.txt')).toBe('one\ntwo\n')
    },
  )

  verifies(
    'CONTRACT §6 moved base rebased',
    'one session publishes on top of what another published, if both touch different lines',
    async () => {
      const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
      const product = await embedded({ 'a.txt': lines })
      const other = await product.newSession()
      const first = edit('line 1\n', 'inserted\nfirst\n')
      await product.call('edit_text_file', { path: 'a.txt', ...first })
      const second = edit('line 18\n', 'second\n')
      await product.call('edit_text_file', { path: 'a.txt', ...second }, { sessionId: other })
      const open = await drafts(product, 'open')
      const idOf = (sessionId: string) => open.find(draft => draft.sessionId === sessionId)!.id
      expect(await publish(product, { draftId: idOf(product.sessionId) })).toMatchObject({
        rebased: [],
      })
      expect(await publish(product, { draftId: idOf(other) })).toMatchObject({
        rebased: ['a.txt'],
      })
      expect(product.read('a.txt')).toBe(
        lines.replace('line 1\n', 'inserted\nfirst\n').replace('line 18\n', 'second\n'),
      )
    },
  )

  test('a line that both touched is a conflict that is shown, and nothing is written', async () => {
    const product = await embedded({ 'a.txt': 'one\ntwo\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('one', 'ONE') })
    product.write('a.txt', 'uno\ntwo\n')
    expect(await drafts(product, 'open')).toMatchObject([{ files: [{ drifted: true }] }])
    const { status, value } = await product.ask('publish', { body: {} })
    expect(status).toBe(409)
    expect(value.message).toContain('Nothing was written')
    expect(product.read('a.txt')).toBe('uno\ntwo\n')
    expect(await drafts(product, 'open')).toHaveLength(1)
  })

  test('a read of a file in the draft says that the file on disk diverged', async () => {
    const product = await embedded({ 'a.txt': 'one\ntwo\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('one', 'ONE') })
    expect((await product.call('read_file', { path: 'a.txt' })).warnings).toEqual([])
    product.write('a.txt', 'one\n2\n')
    const drifted = [expect.stringContaining('"a.txt" changed on disk since the draft began')]
    expect(await product.call('read_file', { path: 'a.txt' })).toMatchObject({
      content: 'ONE\ntwo\n',
      warnings: drifted,
    })
    expect((await product.call('get_file_info', { path: 'a.txt' })).warnings).toEqual(drifted)
  })

  test('a file that was moved, and changed at its old place, is reported as edited', async () => {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    const operations = [{ op: 'move', from: 'a.txt', to: 'sub/c.txt' }]
    await product.call('file_operations', { operations })
    await product.call('edit_text_file', { path: 'b.txt', ...edit('two', 'TWO') })
    expect((await product.call('read_file', { path: 'sub/c.txt' })).warnings).toEqual([])
    product.write('a.txt', 'uno\n')
    expect((await product.call('read_file', { path: 'sub/c.txt' })).warnings).toEqual([
      expect.stringContaining('"a.txt", moved to "sub/c.txt" in the draft, changed on disk since'),
    ])
    const [{ files }] = (await drafts(product, 'open')) as [DraftSummary]
    expect(files.find(({ path }) => path === 'sub/c.txt')!.drifted).toBe(true)
    const { value } = await product.ask('publish', { body: {} })
    expect(value.message).toMatch(
      /^Nothing was written: "a\.txt" was to be moved, but changed .* "filewright review" lists the changes in conflict/,
    )
    const review = await product.ask<Review>('review')
    const only = review.value.changes.filter(({ path }) => path === 'b.txt').map(({ id }) => id)
    await publish(product, { only })
    expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['uno\n', 'TWO\n'])
  })

  test('the refusal of a draft in conflict says how the rest of it is published', async () => {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('one', 'ONE') })
    await product.call('edit_text_file', { path: 'b.txt', ...edit('two', 'TWO') })
    await product.call('file_operations', { operations: [{ op: 'delete', path: 'c.txt' }] })
    product.write('a.txt', 'uno\n')
    product.write('c.txt', 'tres\n')
    const refused = await product.ask('publish', { body: {} })
    expect(refused.value.message).toMatch(/draft resolve.* publish --refuse/)
    const { value } = await product.ask<Review>('review')
    const others = value.changes.filter(({ path }) => path !== 'b.txt').map(({ id }) => id)
    await publish(product, { refused: others })
    expect(['a.txt', 'b.txt', 'c.txt'].map(path => product.read(path))).toEqual([
      'uno\n',
      'TWO\n',
      'tres\n',
    ])
  })

  test('a conflict shows the lines, and only the line numbers of the review', async () => {
    const product = await embedded({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('seven', 'SEVEN') })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('one', 'ONE') })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('four', 'FOUR') })
    product.write('a.txt', 'one\ntwo\nthree\nvier\nfive\nsix\nseven\n')
    const { value } = await product.ask('publish', { body: {} })
    expect(value.errors).toEqual(['line 4 of the base: the original lines have changed.'])
    expect(value.message).not.toContain('changes[')
  })

  test('a file that somebody changed in the same way meanwhile is not a conflict', async () => {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('one', 'ONE') })
    await product.call('edit_text_file', { path: 'b.txt', ...edit('two', 'TWO') })
    product.write('a.txt', 'ONE\n')
    expect((await publish(product)).files).toMatchObject([{ path: 'b.txt' }])
    expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['ONE\n', 'TWO\n'])
  })
})

verifies(
  'CONTRACT §6 discard',
  'a discarded draft leaves the workspace as it is, and the next edit begins a new one',
  async () => {
    const product = await embedded({ 'a.txt': 'a\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('a', 'b') })
    await product.call('write_text_file', { path: 'n.txt', content: 'n\n' })
    const { value: discarded } = await product.ask<DraftSummary>('discard', { body: {} })
    expect(discarded.state).toBe('discarded')
    expect(readdirSync(product.dir)).toEqual(['a.txt'])
    expect(product.read('a.txt')).toBe('a\n')
    expect((await product.ask('publish', { body: {} })).status).toBe(404)
    expect(await product.call('read_file', { path: 'a.txt' })).toMatchObject({ content: 'a\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('a', 'c') })
    const [open] = await drafts(product, 'open')
    expect(open!.id).not.toBe(discarded.id)
  },
)

verifies(
  'CONTRACT §6 clock, author and seed recorded',
  'every operation is logged with the clock, author and seed it was given, and replays to the same bytes',
  async () => {
    const product = await embedded({ 'a.txt': 'a\n' })
    const edited = await product.call('edit_text_file', { path: 'a.txt', ...edit('a', 'b') })
    const sheet = await product.call('xlsx_operations', {
      path: 'book.xlsx',
      create_if_missing: true,
      operations: [{ op: 'set_range', sheet: 'Sheet1', start: 'A1', values: [[1, 2, '=A1+B1']] }],
    })
    expect(sheet).toMatchObject({ success: true })
    const folder = join(product.stateRoot, 'drafts/open')
    const lines = readdirSync(folder)
      .flatMap(name => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .flatMap(line => JSON.parse(line) as DraftLine | DraftLine[])
    const logged = lines.flatMap(line => (line.type === 'edit' ? line.operations : []))
    expect(logged).toHaveLength(2)
    for (const { circumstances } of logged)
      expect(circumstances).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        author: expect.any(String),
        seed: expect.any(Number),
      })
    const before = (await product.ask<Review>('review')).value
    await product.detach()
    await product.attach()
    expect((await product.ask<Review>('review')).value).toEqual(before)
    const { files } = await publish(product)
    expect(files).toContainEqual(
      expect.objectContaining({ path: 'a.txt', version: edited.version }),
    )
  },
)

describe('a draft of one call', () => {
  verifies(
    ['CONTRACT §6 batch is a one-call draft', 'CONTRACT §6 approval refuses the rest'],
    'a patch waits as a draft whose review is the approval; its accepted changes are written',
    async () => {
      const product = await embedded({ 'a.txt': 'one\ntwo\nthree\n' })
      const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
      const replace = (line: number, was: string, is: string) => ({
        operation: 'replace',
        startLine: line,
        endLine: line,
        expectedOriginalLines: [was],
        newLines: [is],
      })
      const changes = [replace(1, 'one', 'ONE'), replace(3, 'three', 'THREE')]
      const pending = await product.call(
        'workspace_write_patch',
        { files: [{ docPath: 'a.txt', originalSha256: file.version, changes }] },
        { approve: 'ask' },
      )
      const { approval, draft } = await waiting(product, pending.approvalId)
      expect(draft).toMatchObject({ purpose: 'one-call', files: [{ path: 'a.txt' }] })
      const { value: review } = await product.ask<Review>('review', {
        query: { draftId: draft.id },
      })
      expect(approval.changes).toMatchObject(review.changes)
      expect(approval.diffs).toEqual(review.diffs)
      await product.ask('decide', {
        params: { approvalId: approval.id },
        body: { decision: 'approved', refused: [{ changeId: approval.changes[0]!.id }] },
      })
      expect(product.read('a.txt')).toBe('one\ntwo\nTHREE\n')
      expect(await drafts(product, 'published')).toMatchObject([{ id: draft.id }])
      expect(await drafts(product, 'open')).toEqual([])
    },
  )

  verifies(
    'CONTRACT §6 create is a one-call draft',
    'a created file waits as a draft whose review is the approval; refused, it is discarded',
    async () => {
      const product = await embedded()
      const args = { path: 'new.txt', content: 'n\n' }
      const pending = await product.call('workspace_create_file', args, { approve: 'ask' })
      const { approval, draft } = await waiting(product, pending.approvalId)
      expect(draft).toMatchObject({ purpose: 'one-call', files: [{ action: 'created' }] })
      expect(approval.changes).toMatchObject([{ path: 'new.txt', place: 'new file' }])
      await product.ask('decide', {
        params: { approvalId: approval.id },
        body: { decision: 'denied' },
      })
      expect(readdirSync(product.dir)).toEqual([])
      expect(await drafts(product, 'discarded')).toMatchObject([{ id: draft.id }])
    },
  )

  async function waiting(product: Embedded, approvalId: string) {
    const { value } = await product.ask<readonly Approval[]>('listApprovals')
    const approval = value.find(({ id }) => id === approvalId)!
    const draft = (await drafts(product, 'open')).find(({ id }) => id === approval.draftId)!
    return { approval, draft }
  }
})

test('a workbook in which a call changes nothing enters no draft, and the answer says so', async () => {
  const book = zooBook({ sheets: { S: '<row r="1"><c r="A1" t="str"><v>old</v></c></row>' } })
  const product = await embedded({ 'b.xlsx': book })
  const call = (search: string) =>
    product.call('xlsx_operations', {
      path: 'b.xlsx',
      operations: [{ op: 'find_replace', search, replace: 'new' }],
    })
  const nothing = await call('nowhere')
  expect(nothing).toMatchObject({ success: true, draft: 'none', draftId: null, changeCount: 0 })
  expect(nothing.message).toBe(
    'b.xlsx is as it was; nothing was changed: Found "nowhere" in no cell; nothing was replaced.',
  )
  expect(await drafts(product)).toEqual([])
  expect(await call('old')).toMatchObject({ draft: 'changed', changeCount: 1 })
  await publish(product)
  expect(JSON.stringify(await product.call('read_file', { path: 'b.xlsx' }))).toContain('"new"')
})

describe('text written unchanged', () => {
  const same = { path: 'a.txt', content: 'one\n' }

  test('opens no draft, and its answer names none', async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    for (const [tool, args] of [
      ['write_text_file', same],
      ['edit_text_file', { path: 'a.txt', ...edit('one', 'one') }],
    ] as const) {
      const answer = await product.call(tool, args)
      expect(answer).toMatchObject({ success: true, draft: 'none', draftId: null, changeCount: 0 })
      expect(answer.version).toBe((await product.call('read_file', { path: 'a.txt' })).version)
    }
    expect(await drafts(product)).toEqual([])
    expect((await product.ask('publish', { body: {} })).value.message).toContain('no open draft')
  })

  test('enters no open draft, and a reviewed draft can still be published', async () => {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    await product.call('edit_text_file', { path: 'b.txt', ...edit('two', 'TWO') })
    const reviewed = (await drafts(product))[0]!
    expect(await product.call('write_text_file', same)).toMatchObject({ draftId: reviewed.id })
    expect((await drafts(product))[0]!.files.map(({ path }) => path)).toEqual(['b.txt'])
    await publish(product, { revision: reviewed.revision })
    expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['one\n', 'TWO\n'])
  })

  test('is followed by edits that hold, of the file and of its draft', async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    await product.call('write_text_file', same)
    await product.call('edit_text_file', { path: 'a.txt', ...edit('one', 'two') })
    await product.call('write_text_file', { path: 'a.txt', content: 'two\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('two', 'three') })
    await publish(product)
    expect(product.read('a.txt')).toBe('three\n')
  })
})

/** Makes the draft's one change count as many, because that many calls would take too long in a test. */
async function countAs(product: Embedded, count: number) {
  await product.detach()
  const folder = join(product.stateRoot, 'drafts/open')
  const path = join(folder, readdirSync(folder)[0]!)
  const log = readFileSync(path, 'utf8')
  expect(log).toContain('"changeCount":1,')
  writeFileSync(path, log.replace('"changeCount":1,', `"changeCount":${count},`))
  await product.attach()
}

describe('a draft of very many changes to workbooks', () => {
  const cells = (path: string, count: number) => ({
    path,
    create_if_missing: true,
    operations: [{ op: 'set_range', sheet: 'Sheet1', start: 'A1', values: [Array(count).fill(1)] }],
  })

  test('takes no call that adds more than can be reviewed, and says what works', async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    await product.call('xlsx_operations', cells('a.xlsx', 1))
    await countAs(product, LIMITS.draftedCells - 2)
    const refused = await product.call('xlsx_operations', cells('a.xlsx', 3))
    expect(refused).toMatchObject({ success: false, errorCode: 'TOO_LARGE', kind: 'limit' })
    expect(refused.message).toMatch(/^Nothing was written: .* holds 499998 .* adds 3, .* publish/)
    const other = await product.call('xlsx_operations', cells('b.xlsx', 3))
    expect(other).toMatchObject({ success: false, errorCode: 'TOO_LARGE' })
    const read = await product.call('read_file', { path: 'a.xlsx' })
    expect(read.cells).toMatchObject([{ cell: 'A1', value: 1 }])
    expect(await product.call('xlsx_operations', cells('a.xlsx', 2))).toMatchObject({
      success: true,
    })
    const text = { path: 'a.txt', ...edit('one', 'two') }
    expect(await product.call('edit_text_file', text)).toMatchObject({ success: true })
    await publish(product)
    expect(await product.call('xlsx_operations', cells('a.xlsx', 3))).toMatchObject({
      success: true,
    })
  })
})

describe('a draft of very many changes to text', () => {
  async function draftOf(count: number) {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'x x x\n' })
    await product.call('edit_text_file', { path: 'a.txt', ...edit('one', 'two') })
    await countAs(product, count)
    return product
  }
  const all = { path: 'b.txt', edits: [{ search: 'x', replace: 'y', all: true }] }

  test('takes no call that adds more than can be reviewed, and says what works', async () => {
    const product = await draftOf(LIMITS.draftedPlaces - 2)
    const refused = await product.call('edit_text_file', all)
    expect(refused).toMatchObject({ success: false, errorCode: 'TOO_LARGE', kind: 'limit' })
    expect(refused.message).toMatch(/^Nothing was written: .* holds 999998 .* adds 3, .* publish/)
    expect((await product.call('read_file', { path: 'b.txt' })).content).toBe('x x x\n')
    expect((await drafts(product))[0]!.files.map(({ path }) => path)).toEqual(['a.txt'])
    await publish(product)
    expect(await product.call('edit_text_file', all)).toMatchObject({ success: true })
  })

  test('takes what fits, and files that are not text', async () => {
    const product = await draftOf(LIMITS.draftedPlaces - 3)
    expect(await product.call('edit_text_file', all)).toMatchObject({ success: true })
    const cells = { op: 'set_cells', sheet: 'Sheet1', cells: [{ cell: 'A1', value: 1 }] }
    const book = { path: 'c.xlsx', create_if_missing: true, operations: [cells] }
    expect(await product.call('xlsx_operations', book)).toMatchObject({ success: true })
  })
})
