import type { Operation } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { randomFrom } from '../../packages/documents/src/formats/xlsx/testing/random-edits.contract.ts'
import { ComputedBook } from './computed-book.contract.ts'

const LIST: Operation = {
  ...{ op: 'set_range', sheet: 'S', start: 'A1' },
  values: [
    ['Region', 'Who', 'Net'],
    ['North', 'Ann', 1],
    ['north', 'Bob', 2],
    ['South', 'Cay', 4],
    ['West', 'Dee', { formula: 'C4*2' }],
  ],
}
const made = (): ComputedBook => {
  const book = new ComputedBook({ sheets: { S: '', T: '' } })
  book.run(LIST)
  return book
}
const subtotal = (fields: object = {}): Operation => ({
  ...{ op: 'subtotal_rows', sheet: 'S', range: 'A1:C5', by: ['Region'], columns: ['Net'] },
  ...fields,
})

test('each group gets its subtotal, the whole a grand total, and formulas follow', () => {
  const book = made()
  book.run({
    ...{ op: 'set_cells', sheet: 'T' },
    cells: [
      { cell: 'A1', value: { formula: 'SUM(S!C2:C5)' } },
      { cell: 'A2', value: { formula: 'S!C4' } },
    ],
  })
  const { results, warnings } = book.run(subtotal())
  expect(book.shows('S', 'A4', 'A6', 'A8', 'A9')).toEqual([
    ...['North Total', 'South Total', 'West Total', 'Grand Total'],
  ])
  expect(book.shows('S', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'C9')).toEqual([
    // one value and other subtotals: nothing proves what these give, so Excel computes them
    ...[1, 2, 3, 4, '=SUBTOTAL(9,C5:C5)', 8, '=SUBTOTAL(9,C7:C7)', '=SUBTOTAL(9,C2:C8)'],
  ])
  expect(results[0]).toMatchObject({ range: 'A1:C9', rowCount: 4 })
  expect(warnings.join()).toContain('may count twice: T!A1')
  expect(book.shows('T', 'A2')).toEqual([4])
  const xml = book.part('xl/worksheets/sheet1.xml')
  const levels = [...xml.matchAll(/<row [^>]*>/g)].map(
    ([tag]) => `${/ r="(\d+)"/.exec(tag)![1]}:${/outlineLevel="(\d)"/.exec(tag)?.[1] ?? 0}`,
  )
  expect(levels.join(' ')).toBe('1:0 2:2 3:2 4:1 5:2 6:1 7:2 8:1 9:0')
  expect(book.without(['S!A1:C5 subtotals'], 'S', 'A4', 'A6', 'C5')).toEqual(['South', null, 8])
  book.holds()
  book.run({ op: 'set_cells', sheet: 'S', cells: [{ cell: 'C2', value: 11 }] })
  expect(book.shows('S', 'C4')).toEqual([13])
  book.holds()
})

test('other functions and labels', () => {
  const book = made()
  book.run(subtotal({ function: 'average', names: ['Schnitt {}', 'Alle'] }))
  expect(book.shows('S', 'A4', 'C4', 'A9', 'C9')).toEqual([
    ...['Schnitt North', 1.5, 'Alle', '=SUBTOTAL(1,C2:C8)'],
  ])
})

test('what would be torn apart or counted twice is refused', () => {
  const book = made()
  expect(book.refusal(subtotal({ by: ['Nobody'] }))).toContain('"Nobody" is no column')
  expect(book.refusal(subtotal({ columns: [] }))).toContain('subtotal_rows needs by')
  expect(book.refusal(subtotal({ function: 'median' }))).toContain('function is one of')
  const set = (cell: string, value: unknown) =>
    book.run({ op: 'set_cells', sheet: 'S', cells: [{ cell, value }] })
  set('A5', 'North')
  expect(book.refusal(subtotal())).toContain('is in row 2 and again in row 5')
  set('A5', 'Total')
  set('C5', { formula: 'SUM(C2:C4)' })
  expect(book.refusal(subtotal())).toContain('C5 is a total already (=SUM(C2:C4))')
  set('F3', 'beside')
  expect(book.refusal(subtotal({ range: 'A1:C4' }))).toContain('F3 stands beside A1:C4')
  set('F3', null)
  book.run({ op: 'add_table', sheet: 'S', range: 'A1:C4', name: 'Net_1' })
  expect(book.refusal(subtotal({ range: 'A1:C4' }))).toContain('the table Net_1')
})

test('each subtotal reads its group alone, whatever the groups, and the grand total all rows', () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = randomFrom(seed)
    const sizes = Array.from(
      { length: 1 + Math.floor(random() * 4) },
      () => 2 + Math.floor(random() * 3),
    )
    const rows = sizes.flatMap((size, group) =>
      Array.from({ length: size }, () => [`g${group}`, Math.floor(random() * 100)] as const),
    )
    const book = new ComputedBook({ sheets: { S: '' } })
    const range = `A1:B${rows.length + 1}`
    book.run(
      { op: 'set_range', sheet: 'S', start: 'A1', values: [['Key', 'Net'], ...rows] },
      { op: 'subtotal_rows', sheet: 'S', range, by: ['Key'], columns: ['Net'] },
    )
    let last = 1
    for (const [group, size] of sizes.entries()) {
      last += size + 1
      const own = rows.filter(([key]) => key === `g${group}`)
      const sum = own.reduce((total, [, net]) => total + net, 0)
      expect(book.shows('S', `A${last}`, `B${last}`)).toEqual([`g${group} Total`, sum])
    }
    expect(book.shows('S', `A${last + 1}`, `B${last + 1}`)).toEqual([
      ...['Grand Total', `=SUBTOTAL(9,B2:B${last})`],
    ])
  }
})
