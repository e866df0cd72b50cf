import type { DraftSummary, Published, Review, TakenBack } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { edit, review } from './draft-calls.ts'

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'

describe('a part of a draft is published', () => {
  test('the rest stays in the draft on the new base, under the same ids', async () => {
    const product = await embedded({ 'a.txt': LINES, 'b.txt': 'b\n' })
    await edit(product, 'a.txt', 'one', 'ONE')
    await edit(product, 'a.txt', 'four', 'FOUR')
    await edit(product, 'b.txt', 'b', 'B')
    const [one, four, other] = await review(product)
    const published = await publish(product, { only: [four!.id] })
    expect(published).toMatchObject({ undecided: 2, refused: [], dropped: [] })
    expect(published.message).toMatch(
      /^Published: 1 file written \(a\.txt changed\)\. 2 other changes stay in the draft drf_/,
    )
    expect(product.read('a.txt')).toBe(LINES.replace('four', 'FOUR'))
    expect(await review(product)).toEqual([one, other])
    const { value } = await product.ask<Review>('review')
    expect(value.draft.files).toMatchObject([
      { path: 'a.txt', changes: 1, base: await hashOf(product, 'a.txt') },
      { path: 'b.txt', changes: 1 },
    ])
    expect(value.draft.files.some(({ drifted }) => drifted)).toBe(false)
    const [diff] = value.diffs
    expect(diff!.diff.match(/^[-+]\w+$/gm)).toEqual(['-one', '+ONE'])
    expect(await publish(product, {})).toMatchObject({ undecided: 0 })
    expect([product.read('a.txt'), product.read('b.txt')]).toEqual([
      LINES.replace('one', 'ONE').replace('four', 'FOUR'),
      'B\n',
    ])
    expect(await states(product)).toEqual(['published'])
  })

  test('the draft goes on after a restart, and with further edits', async () => {
    const product = await embedded({ 'a.txt': LINES })
    await edit(product, 'a.txt', 'one', 'ONE')
    await edit(product, 'a.txt', 'four', 'FOUR')
    const [one, four] = await review(product)
    await publish(product, { only: [one!.id] })
    await product.detach()
    await product.attach()
    expect(await review(product)).toEqual([four])
    await edit(product, 'a.txt', 'seven', 'SEVEN')
    const [, seven] = await review(product)
    await publish(product, { only: [seven!.id] })
    expect(product.read('a.txt')).toBe(LINES.replace('one', 'ONE').replace('seven', 'SEVEN'))
    expect(await review(product)).toEqual([four])
  })

  test('a file with no change left is the one on disk for the next edit', async () => {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
    await edit(product, 'a.txt', 'one', 'two')
    await edit(product, 'b.txt', 'b', 'B')
    const [first] = await review(product)
    await publish(product, { only: [first!.id] })
    product.write('a.txt', 'three\n')
    await edit(product, 'a.txt', 'three', 'four')
    await publish(product, {})
    expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['four\n', 'B\n'])
  })

  test('a save from outside is kept, and the rest is mapped onto it', async () => {
    const product = await embedded({ 'a.txt': LINES })
    await edit(product, 'a.txt', 'one', 'ONE')
    await edit(product, 'a.txt', 'seven', 'SEVEN')
    const [one] = await review(product)
    await publish(product, { only: [one!.id] })
    product.write('a.txt', `${LINES.replace('one', 'ONE').replace('four', 'vier')}`)
    expect(await publish(product, {})).toMatchObject({ rebased: ['a.txt'] })
    expect(product.read('a.txt')).toBe('ONE\ntwo\nthree\nvier\nfive\nsix\nSEVEN\n')
  })

  test.each([
    [
      'set_cells',
      {
        cells: [
          { cell: 'A1', value: 5 },
          { cell: 'B1', value: '=Tax!A1' },
        ],
      },
    ],
    ['set_range', { start: 'A1', values: [[5, '=Tax!A1']] }],
  ])('a cell of %s goes without what another cell of it needs', async (op, fields) => {
    const product = await embedded({ 'b.xlsx': zooBook({ sheets: { Sales: '' } }) })
    const operations = [
      { op: 'ensure_sheet', sheet: 'Tax' },
      { op, sheet: 'Sales', formulas: true, ...fields },
    ]
    await product.call('xlsx_operations', { path: 'b.xlsx', operations })
    const [sheet, plain, formula] = await review(product)
    expect(formula!.dependsOn).toEqual([sheet!.id])
    expect(await publish(product, { only: [plain!.id] })).toMatchObject({ undecided: 2 })
    expect((await review(product)).map(({ id }) => id)).toEqual([sheet!.id, formula!.id])
    await publish(product, {})
    const read = { path: 'b.xlsx', sheet: 'Sales', range: 'A1:B1' }
    const { cells } = await product.call('read_file', read, {
      sessionId: await product.newSession(),
    })
    expect(cells).toMatchObject([{ value: 5 }, { formula: '=Tax!A1' }])
  })

  test('cells of a workbook are published one after the other', async () => {
    const product = await embedded({})
    await product.call('xlsx_operations', {
      path: 'b.xlsx',
      create_if_missing: true,
      operations: [cells({ A1: 1, A2: 2 })],
    })
    await publish(product, {})
    await product.call('xlsx_operations', {
      path: 'b.xlsx',
      operations: [cells({ A1: 10, A2: 20, A3: '=A1+A2' })],
    })
    const [first, second, sum] = await review(product)
    await publish(product, { only: [second!.id] })
    expect(await review(product)).toEqual([first, sum])
    expect(await onDisk(product)).toBe('A1 1, A2 20')
    await publish(product, { only: [first!.id] })
    await publish(product, {})
    expect(await onDisk(product)).toBe('A1 10, A2 20, A3 =A1+A2')
  })

  test('a new file is published before its later edits', async () => {
    const product = await embedded({})
    await product.call('write_text_file', { path: 'new.txt', content: LINES })
    await edit(product, 'new.txt', 'two', 'TWO')
    const [whole, two] = await review(product)
    await publish(product, { only: [whole!.id] })
    expect(product.read('new.txt')).toBe(LINES)
    expect((await review(product)).map(({ id }) => id)).toEqual([two!.id])
    const [{ files }] = await drafts(product)
    expect(files).toMatchObject([{ path: 'new.txt', action: 'changed', changes: 1 }])
    await publish(product, {})
    expect(product.read('new.txt')).toBe(LINES.replace('two', 'TWO'))
  })

  test('a file that is half published is neither moved nor deleted', async () => {
    const product = await embedded({})
    await product.call('write_text_file', { path: 'new.txt', content: LINES })
    await edit(product, 'new.txt', 'two', 'TWO')
    const [whole] = await review(product)
    await publish(product, { only: [whole!.id] })
    for (const operation of [
      { op: 'delete', path: 'new.txt' },
      { op: 'move', from: 'new.txt', to: 'other.txt' },
    ])
      expect(await product.call('file_operations', { operations: [operation] })).toMatchObject({
        success: false,
        errorCode: 'CONFLICT',
      })
    await publish(product, {})
    expect(product.read('new.txt')).toBe(LINES.replace('two', 'TWO'))
  })

  test('refused changes are dropped while others stay', async () => {
    const product = await embedded({ 'a.txt': LINES })
    for (const word of ['one', 'four', 'seven']) await edit(product, 'a.txt', word, `<${word}>`)
    const [one, four, seven] = await review(product)
    const published = await publish(product, { only: [one!.id], refused: [four!.id] })
    expect(published).toMatchObject({
      undecided: 1,
      refused: [four!.id],
      refusedPlaces: ['a.txt, line 4'],
    })
    expect(await review(product)).toEqual([seven])
    const read = await product.call('read_file', { path: 'a.txt' })
    expect(read.content).toBe(LINES.replace('one', '<one>').replace('seven', '<seven>'))
    await publish(product, {})
    expect(product.read('a.txt')).toBe(LINES.replace('one', '<one>').replace('seven', '<seven>'))
  })
})

describe('a published part is undone', () => {
  test('the rest of the draft goes on from the file as it was', async () => {
    const product = await embedded({ 'a.txt': LINES })
    await edit(product, 'a.txt', 'one', 'ONE')
    await edit(product, 'a.txt', 'two', 'TWO')
    const [one, two] = await review(product)
    const { draftId } = await publish(product, { only: [one!.id] })
    await takeBack(product, 'undo', { draftId })
    expect(product.read('a.txt')).toBe(LINES)
    expect((await review(product)).map(({ id }) => id)).toEqual([two!.id])
    expect((await product.call('read_file', { path: 'a.txt' })).content).toBe(
      LINES.replace('two', 'TWO'),
    )
    await edit(product, 'a.txt', 'one', 'uno')
    await publish(product, {})
    expect(product.read('a.txt')).toBe(LINES.replace('two', 'TWO').replace('one', 'uno'))
  })

  test('a redo makes the undone part published again', async () => {
    const product = await embedded({ 'a.txt': LINES })
    await edit(product, 'a.txt', 'one', 'ONE')
    await edit(product, 'a.txt', 'two', 'TWO')
    const [one, two] = await review(product)
    const { draftId } = await publish(product, { only: [one!.id] })
    await takeBack(product, 'undo', { draftId })
    await takeBack(product, 'redo', { draftId })
    expect(product.read('a.txt')).toBe(LINES.replace('one', 'ONE'))
    expect(await review(product)).toEqual([two])
    await publish(product, {})
    expect(product.read('a.txt')).toBe(LINES.replace('one', 'ONE').replace('two', 'TWO'))
  })

  test('an undone change that the rest needs is undecided again', async () => {
    const product = await embedded({ 'a.txt': 'one\n' })
    await edit(product, 'a.txt', 'one', 'two')
    await edit(product, 'a.txt', 'two', 'three')
    const before = await review(product)
    await publish(product, { only: [before[0]!.id] })
    const { warnings } = await takeBack(product, 'undo', {})
    expect(warnings).toEqual([
      expect.stringMatching(/^1 undone change is in the draft drf_\w+ again/),
    ])
    expect(product.read('a.txt')).toBe('one\n')
    expect(await review(product)).toEqual(before)
    await publish(product, {})
    expect(product.read('a.txt')).toBe('three\n')
  })

  test('cells of a workbook leave the draft too', async () => {
    const product = await embedded({})
    await product.call('xlsx_operations', {
      path: 'b.xlsx',
      create_if_missing: true,
      operations: [cells({ A1: 1, A2: 2 })],
    })
    await publish(product, {})
    await product.call('xlsx_operations', {
      path: 'b.xlsx',
      operations: [cells({ A1: 10, A2: 20 })],
    })
    const [first, second] = await review(product)
    await publish(product, { only: [first!.id] })
    await takeBack(product, 'undo', {})
    expect((await review(product)).map(({ id }) => id)).toEqual([second!.id])
    await product.call('xlsx_operations', { path: 'b.xlsx', operations: [cells({ A3: 3 })] })
    await publish(product, {})
    expect(await onDisk(product)).toBe('A1 1, A2 20, A3 3')
  })

  test('a new file is undecided again with its later edits', async () => {
    const product = await embedded({})
    await product.call('write_text_file', { path: 'new.txt', content: LINES })
    await edit(product, 'new.txt', 'two', 'TWO')
    const before = await review(product)
    await publish(product, { only: [before[0]!.id] })
    await takeBack(product, 'undo', {})
    expect(() => product.read('new.txt')).toThrow('ENOENT')
    expect(await review(product)).toEqual(before)
    await publish(product, {})
    expect(product.read('new.txt')).toBe(LINES.replace('two', 'TWO'))
  })
})

test('a file with unsaved text in an editor is not published over it', async () => {
  const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  await edit(product, 'a.txt', 'one', 'two')
  await edit(product, 'b.txt', 'b', 'B')
  const params = { sessionId: await product.newSession() }
  const open = (buffer: string) =>
    product.ask('addActiveFile', { params, body: { path: 'a.txt', buffer } })
  await open('unsaved\n')
  const { value } = await product.ask('publish', { body: {} })
  expect(value).toMatchObject({
    kind: 'conflict',
    message:
      'Nothing was written: "a.txt" has unsaved changes in an editor. Settle it there first, then publish.',
  })
  const [, other] = await review(product)
  expect(await publish(product, { only: [other!.id] })).toMatchObject({ undecided: 1 })
  expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['one\n', 'B\n'])
  await open('one\n')
  await publish(product, {})
  expect(product.read('a.txt')).toBe('two\n')
})

verifies(
  'CONTRACT §6 publish needs an undecided one',
  'an accepted change that needs an undecided one is refused, even when others could be written',
  async () => {
    const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
    await edit(product, 'a.txt', 'one', 'two')
    await edit(product, 'a.txt', 'two', 'three')
    await edit(product, 'b.txt', 'b', 'B')
    const before = await review(product)
    const [first, second, other] = before
    const only = [second!.id, other!.id]
    const { value } = await product.ask('publish', { body: { only } })
    expect(value).toMatchObject({
      kind: 'invalid',
      message: `Nothing was written, and the draft is unchanged: ${second!.id} cannot be applied without changes that were left out. Name those too: ${first!.id}.`,
    })
    expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['one\n', 'b\n'])
    expect(await review(product)).toEqual(before)
    const both = { only: [other!.id], refused: [other!.id] }
    expect((await product.ask('publish', { body: both })).value.message).toMatch(
      /cannot be both published and refused\. Name each change once\.$/,
    )
  },
)

async function publish(product: Embedded, body: object): Promise<Published> {
  const { status, value } = await product.ask<Published>('publish', { body })
  expect(status, JSON.stringify(value)).toBe(200)
  return value
}

async function takeBack(product: Embedded, way: 'undo' | 'redo', body: object) {
  const { status, value } = await product.ask<TakenBack>(way, { body })
  expect(status, JSON.stringify(value)).toBe(200)
  return value
}

async function drafts(product: Embedded) {
  const { value } = await product.ask<readonly DraftSummary[]>('listDrafts')
  return value as [DraftSummary]
}

async function states(product: Embedded): Promise<string[]> {
  return (await drafts(product)).map(({ state }) => state)
}

async function hashOf(product: Embedded, path: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(product.read(path)).digest('hex')
}

function cells(values: Record<string, number | string>) {
  const list = Object.entries(values).map(([cell, value]) => ({ cell, value }))
  return { op: 'set_cells', sheet: 'Sheet1', cells: list }
}

/** The column as another session sees it, which has no draft of the file. */
async function onDisk(product: Embedded): Promise<string> {
  const args = { path: 'b.xlsx', sheet: 'Sheet1', range: 'A1:A3' }
  const sessionId = await product.newSession()
  const { cells } = await product.call('read_file', args, { sessionId })
  return cells.map(({ cell, value }: Record<string, unknown>) => `${cell} ${value}`).join(', ')
}
