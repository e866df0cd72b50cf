import type { Published, Resolved, Review } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const PEOPLE = ['Ann', 'Bob', 'Cy']
const FIVE = [...PEOPLE, 'Dee', 'Eve']

/** A name and an amount a row. */
function book(amounts: readonly number[], names = PEOPLE): Uint8Array {
  const rows = amounts.map((amount, index) => {
    const row = index + 1
    return `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>${names[index]}</t></is></c><c r="B${row}"><v>${amount}</v></c></row>`
  })
  return zooBook({ sheets: { Sales: rows.join('') } })
}

async function drafted(cells: readonly { cell: string; value: unknown }[]): Promise<Embedded> {
  const product = await embedded({ 'b.xlsx': book([10, 20, 30]) })
  const operations = [{ op: 'set_cells', sheet: 'Sales', cells }]
  await product.call('xlsx_operations', { path: 'b.xlsx', operations })
  return product
}

async function amounts(product: Embedded): Promise<unknown[]> {
  const sessionId = await product.newSession()
  const region = { path: 'b.xlsx', sheet: 'Sales', range: 'B1:B3' }
  const { cells } = await product.call('read_file', region, { sessionId })
  return cells.map(({ value }: { value: unknown }) => value)
}

describe('a draft on a workbook that somebody saves meanwhile', () => {
  verifies(
    'CONTRACT §6 moved workbook rebased',
    'is published on top of it, and says so',
    async () => {
      const product = await drafted([{ cell: 'B2', value: 99 }])
      product.write('b.xlsx', book([11, 20, 30]))
      const { status, value } = await product.ask<Published>('publish', { body: {} })
      expect(status, JSON.stringify(value)).toBe(200)
      expect(value.rebased).toEqual(['b.xlsx'])
      expect(await amounts(product)).toEqual([11, 99, 30])
    },
  )

  test('shows the cells in conflict with both sides, before and at the publish', async () => {
    const product = await drafted([
      { cell: 'B1', value: 1 },
      { cell: 'B2', value: 99 },
    ])
    product.write('b.xlsx', book([10, 21, 30]))
    const { value: review } = await product.ask<Review>('review')
    const both = 'Sales!B2: the draft has "99", the disk "21", and it was "20"'
    expect(review.conflicts?.map(({ message }) => message)).toEqual([expect.stringContaining(both)])
    const { status, value } = await product.ask<{ message: string }>('publish', { body: {} })
    expect(status).toBe(409)
    expect(JSON.stringify(value)).toContain('Sales!B2')
    expect(JSON.stringify(value)).toContain('filewright draft resolve')
  })

  test.each([
    ['ours', 99],
    ['theirs', 21],
  ] as const)('a conflict decided for %s leaves the rest as it was', async (side, bob) => {
    const product = await drafted([
      { cell: 'B1', value: 1 },
      { cell: 'B2', value: 99 },
    ])
    product.write('b.xlsx', book([10, 21, 30]))
    const { value: review } = await product.ask<Review>('review')
    const changeIds = review.conflicts!.map(({ changeId }) => changeId)
    const { status, value } = await product.ask<Resolved>('resolve', { body: { changeIds, side } })
    expect(status, JSON.stringify(value)).toBe(200)
    expect(value.conflicts).toEqual([])
    const { value: after } = await product.ask<Review>('review')
    expect(after.changes.map(({ place }) => place)).toEqual(
      side === 'ours' ? ['Sales!B1', 'Sales!B2'] : ['Sales!B1'],
    )
    await product.detach()
    await product.attach()
    const published = await product.ask<Published>('publish', { body: {} })
    expect(published.status, JSON.stringify(published.value)).toBe(200)
    expect(await amounts(product)).toEqual([1, bob, 30])
  })

  test('two conflicts are decided one after the other', async () => {
    const product = await drafted([
      { cell: 'B1', value: 1 },
      { cell: 'B2', value: 99 },
    ])
    product.write('b.xlsx', book([11, 21, 30]))
    const { value: review } = await product.ask<Review>('review')
    const [first, second] = review.conflicts!.map(({ changeId }) => changeId)
    const early = await product.ask<{ error: { message: string } }>('resolve', {
      body: { changeIds: [second!], side: 'ours' },
    })
    expect(early.status).toBe(400)
    expect(JSON.stringify(early.value)).toContain(`${first} of the same file is in conflict too`)
    const half = await product.ask<Resolved>('resolve', {
      body: { changeIds: [first!], side: 'theirs' },
    })
    expect(half.value.conflicts.map(({ changeId }) => changeId)).toEqual([second])
    const { value } = await product.ask<Resolved>('resolve', {
      body: { changeIds: [second!], side: 'ours' },
    })
    expect(value.conflicts, JSON.stringify(value)).toEqual([])
    await product.ask('publish', { body: {} })
    expect(await amounts(product)).toEqual([11, 99, 30])
  })

  test('the rest of a draft published in parts follows a save too', async () => {
    const product = await drafted([
      { cell: 'B1', value: 1 },
      { cell: 'B2', value: 99 },
    ])
    const { value: review } = await product.ask<Review>('review')
    const only = [review.changes[0]!.id]
    expect((await product.ask('publish', { body: { only } })).status).toBe(200)
    product.write('b.xlsx', book([1, 20, 31]))
    const { status, value } = await product.ask('publish', { body: {} })
    expect(status, JSON.stringify(value)).toBe(200)
    expect(await amounts(product)).toEqual([1, 99, 31])
  })

  test.each([
    ['ours', [1, 99, 30]],
    ['theirs', [1, 21, 30]],
  ] as const)(
    'a conflict of the rest is decided for %s, under the same ids',
    async (side, left) => {
      const product = await drafted([
        { cell: 'B1', value: 1 },
        { cell: 'B2', value: 99 },
        { cell: 'B3', value: 30 },
      ])
      await product.call('xlsx_operations', {
        path: 'b.xlsx',
        operations: [{ op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'A3', value: 'Di' }] }],
      })
      const { value: review } = await product.ask<Review>('review')
      const [first, second, third] = review.changes.map(({ id }) => id)
      await product.ask('publish', { body: { only: [first] } })
      product.write('b.xlsx', book([1, 21, 30]))
      const { value: met } = await product.ask<Review>('review')
      expect(met.conflicts).toMatchObject([
        { changeId: second, choices: { ours: expect.any(String) } },
      ])
      const body = { changeIds: [second!], side }
      const resolved = await product.ask<Resolved>('resolve', { body })
      expect(resolved.status, JSON.stringify(resolved.value)).toBe(200)
      expect(resolved.value.conflicts).toEqual([])
      const { value: after } = await product.ask<Review>('review')
      expect(after.changes.map(({ id }) => id)).toEqual(side === 'ours' ? [second, third] : [third])
      await product.detach()
      await product.attach()
      const { status, value } = await product.ask('publish', { body: {} })
      expect(status, JSON.stringify(value)).toBe(200)
      expect(await amounts(product)).toEqual(left)
    },
  )

  test('a change that comes to the place of a published one is still published', async () => {
    const product = await embedded({ 'b.xlsx': book([10, 20, 30, 40, 50], FIVE) })
    const cells = [
      { cell: 'B2', value: 21 },
      { cell: 'B3', value: 31 },
      { cell: 'B5', value: 51 },
    ]
    const operations = [{ op: 'set_cells', sheet: 'Sales', cells }]
    await product.call('xlsx_operations', { path: 'b.xlsx', operations })
    const { value: review } = await product.ask<Review>('review')
    await product.ask('publish', { body: { only: [review.changes[0]!.id] } })
    product.write('b.xlsx', book([10, 30, 40, 52], ['Ann', 'Cy', 'Dee', 'Eve'])) // Bob left
    const { value: met } = await product.ask<Review>('review')
    const changeIds = met.conflicts!.map(({ changeId }) => changeId)
    expect(changeIds).toEqual([review.changes[2]!.id])
    const resolved = await product.ask('resolve', { body: { changeIds, side: 'theirs' } })
    expect(resolved.status, JSON.stringify(resolved.value)).toBe(200)
    const { value: after } = await product.ask<Review>('review')
    expect(after.changes.map(({ place }) => place)).toEqual(['Sales!B2'])
    expect((await product.ask('publish', { body: {} })).status).toBe(200)
    expect(await amounts(product)).toEqual([10, 31, 40])
  })

  test('a change whose row is gone can only be given up', async () => {
    const product = await drafted([{ cell: 'B2', value: 99 }])
    product.write('b.xlsx', book([10, 30], ['Ann', 'Cy']))
    const { value: review } = await product.ask<Review>('review')
    const [conflict] = review.conflicts!
    expect(conflict!.choices).toEqual({ theirs: expect.any(String) })
    const decide = (side: 'ours' | 'theirs') =>
      product.ask('resolve', { body: { changeIds: [conflict!.changeId], side } })
    const ours = await decide('ours')
    expect(ours.status).toBe(409)
    expect(JSON.stringify(ours.value)).toContain('Nothing was decided: nothing proves where')
    expect((await decide('theirs')).status).toBe(200)
    await product.ask('publish', { body: {} })
    expect((await amounts(product)).slice(0, 2)).toEqual([10, 30])
  })

  test('a change that meets nothing is not for deciding', async () => {
    const product = await drafted([{ cell: 'B1', value: 1 }])
    const { value: review } = await product.ask<Review>('review')
    const body = { changeIds: [review.changes[0]!.id], side: 'ours' }
    const { status, value } = await product.ask('resolve', { body })
    expect(status).toBe(400)
    expect(JSON.stringify(value)).toContain('No change of the draft is in conflict: publish it.')
  })
})

test.each([
  ['ours', 'ONE\ntwo\nthree\nFOUR\nfive\nsix\n'],
  ['theirs', 'ONE\ntwo\nthree\nvier\nfive\nsix\n'],
] as const)('the rest of a text published in part is decided for %s', async (side, expected) => {
  const text = 'one\ntwo\nthree\nfour\nfive\nsix\n'
  const product = await embedded({ 'a.txt': text })
  for (const word of ['one', 'four'])
    await product.call('edit_text_file', {
      path: 'a.txt',
      edits: [{ search: word, replace: word.toUpperCase() }],
    })
  const { value: review } = await product.ask<Review>('review')
  const [one, four] = review.changes.map(({ id }) => id)
  await product.ask('publish', { body: { only: [one] } })
  product.write('a.txt', text.replace('one', 'ONE').replace('four', 'vier'))
  const { value: met } = await product.ask<Review>('review')
  expect(met.conflicts).toMatchObject([{ changeId: four }])
  const resolved = await product.ask('resolve', { body: { changeIds: [four!], side } })
  expect(resolved.status, JSON.stringify(resolved.value)).toBe(200)
  const published = await product.ask('publish', { body: {} })
  expect(published.status, JSON.stringify(published.value)).toBe(200)
  expect(product.read('a.txt')).toBe(expected)
})

describe('a draft on a text that somebody saves meanwhile', () => {
  const TEXT = 'one\ntwo\nthree\nfour\nfive\nsix\n'

  test.each([
    ['ours', 'ONE\ntwo\nthree\nFOUR\nfive\nSix\n'],
    ['theirs', 'ONE\ntwo\nthree\nvier\nfive\nSix\n'],
  ] as const)('a conflict decided for %s', async (side, expected) => {
    const product = await embedded({ 'a.txt': TEXT })
    const edits = [
      { search: 'one', replace: 'ONE' },
      { search: 'four', replace: 'FOUR' },
    ]
    await product.call('edit_text_file', { path: 'a.txt', edits })
    product.write('a.txt', TEXT.replace('four', 'vier').replace('six', 'Six'))
    const { value: review } = await product.ask<Review>('review')
    expect(review.conflicts).toHaveLength(1)
    expect(review.conflicts![0]!.message).toContain('FOUR')
    expect(review.conflicts![0]!.message).toContain('vier')
    const changeIds = review.conflicts!.map(({ changeId }) => changeId)
    const { status, value } = await product.ask<Resolved>('resolve', { body: { changeIds, side } })
    expect(status, JSON.stringify(value)).toBe(200)
    const published = await product.ask('publish', { body: {} })
    expect(published.status, JSON.stringify(published.value)).toBe(200)
    expect(product.read('a.txt')).toBe(expected)
  })
})
