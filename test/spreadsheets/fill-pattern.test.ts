import type { Operation } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ComputedBook } from './computed-book.contract.ts'

const EMPTY = { sheets: { S: '<row r="1"><c r="H1"><f>1+1</f><v>2</v></c></row>' } }
const fill = (range: string, rest: object = {}): Operation => ({
  op: 'fill',
  sheet: 'S',
  range,
  pattern: true,
  ...rest,
})
const begin = (values: readonly unknown[]): Operation => ({
  op: 'set_range',
  sheet: 'S',
  start: 'A1',
  values: values.map(value => [value]),
})

/** What comes below the first cells. */
function goesOn(first: readonly unknown[], count: number, rest: object = {}): unknown[] {
  const book = new ComputedBook(EMPTY)
  book.run(begin(first))
  const last = first.length + count
  book.run(fill(`A1:A${last}`, rest))
  const cells = Array.from({ length: count }, (_, index) => `A${first.length + index + 1}`)
  return book.shows('S', ...cells)
}

const day = (date: string) => ({ date })
const serials = (...dates: string[]) =>
  dates.map(own => (Date.parse(`${own}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000)

describe('two first cells go on', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['numbers', [1, 3], [5, 7, 9]],
    ['decimals', [0.1, 0.2], [0.3, 0.4, 0.5]],
    ['numbers down', [10, 5], [0, -5]],
    ['days of the week', ['Mon', 'Tue'], ['Wed', 'Thu', 'Fri', 'Sat', 'Sun', 'Mon']],
    ['every second day', ['Monday', 'Wednesday'], ['Friday', 'Sunday', 'Tuesday']],
    ['months backwards', ['MAR', 'FEB'], ['JAN', 'DEC']],
    ['German months', ['Mai', 'Juni'], ['Juli', 'August']],
    ['months with years', ['Nov 2025', 'Dec 2025'], ['Jan 2026', 'Feb 2026']],
    ['one month', ['January'], ['February', 'March']],
    ['items', ['Item 1', 'Item 2'], ['Item 3', 'Item 4']],
    ['codes', ['A-008', 'A-010'], ['A-012', 'A-014']],
    ['quarters', ['Q3', 'Q4'], ['Q1', 'Q2']],
    ['quarters of years', ['Q3 2025', 'Q4 2025'], ['Q1 2026', 'Q2 2026']],
    ['years before quarters', ['2025-Q2', '2025-Q4'], ['2026-Q2', '2026-Q4']],
    ['days', [day('2026-02-27'), day('2026-02-28')], serials('2026-03-01', '2026-03-02')],
    ['months', [day('2026-01-15'), day('2026-02-15')], serials('2026-03-15', '2026-04-15')],
    [
      'ends of months',
      [day('2025-12-31'), day('2026-01-31')],
      serials('2026-02-28', '2026-03-31', '2026-04-30'),
    ],
    ['years', [day('2024-02-28'), day('2025-02-28')], serials('2026-02-28')],
    ['one day', [day('2026-02-28')], serials('2026-03-01')],
  ])('%s', (_, first, after) => {
    expect(goesOn(first, after.length)).toEqual(after)
  })

  test('in the language that is named', () => {
    expect(goesOn(['Jan', 'Feb'], 1)).toEqual(['Mar'])
    expect(goesOn(['Jan', 'Feb'], 3, { locale: 'de-DE' })).toEqual(['Mär', 'Apr', 'Mai'])
  })

  test('numbers and days are linear, whatever they begin with', () => {
    const some = fc.integer({ min: -10_000, max: 10_000 })
    fc.assert(
      fc.property(some, some, (from, by) => {
        expect(goesOn([from, from + by], 3)).toEqual([2, 3, 4].map(index => from + by * index))
      }),
      { numRuns: 20 },
    )
  })
})

test('each column has a pattern of its own, a row goes right, and the look of the first cell comes along', () => {
  const book = new ComputedBook(EMPTY)
  book.run(
    {
      op: 'set_range',
      sheet: 'S',
      start: 'A1',
      values: [
        [1, 'Mon'],
        [2, 'Wed'],
      ],
    },
    { op: 'set_style', sheet: 'S', range: 'A1:B1', style: 'bold' },
    fill('A1:B4'),
    { op: 'set_range', sheet: 'S', start: 'A9', values: [['Q1', 'Q2']] },
    fill('A9:D9'),
  )
  expect(book.shows('S', 'A3', 'A4', 'B3', 'B4')).toEqual([3, 4, 'Fri', 'Sun'])
  expect(book.shows('S', 'C9', 'D9')).toEqual(['Q3', 'Q4'])
  const style = /<c r="A1" s="(\d+)"/.exec(book.part('xl/worksheets/sheet1.xml'))![1]
  expect(book.part('xl/worksheets/sheet1.xml')).toContain(`<c r="A4" s="${style}"`)
  expect(book.without(['S!A4'], 'S', 'A3', 'A4', 'B4')).toEqual([3, null, 'Sun'])
  expect(book.without(['S!B1'], 'S', 'A4', 'B4')).toEqual([4, null])
  book.holds()
})

test('what has no pattern is refused with the reason, and without pattern the first cell is copied', () => {
  const book = new ComputedBook(EMPTY)
  const why = (first: readonly unknown[], rest: object = {}) => {
    book.run({ op: 'clear_range', sheet: 'S', range: 'A1:A9' }, begin(first))
    return book.refusal(fill('A1:A5', rest))
  }
  expect(why([1])).toContain('one number is no pattern')
  expect(why(['North', 'South'])).toContain('"North", "South" are no series')
  expect(why([1, 'a'])).toContain('a number and a text')
  expect(why([null, 2])).toContain('its first cell is empty')
  expect(why(['31.01.2026', '28.02.2026'])).toContain('is a date as text')
  expect(why(['Jan', 'Feb'], { locale: 'nonsense!' })).toContain('locale "nonsense!"')
  expect(book.refusal(fill('H1:H3'))).toContain('H1 is a formula; without pattern it is copied')
  book.run({ op: 'set_range', sheet: 'S', start: 'A1', values: [['Mon'], ['Tue']] })
  book.run({ op: 'fill', sheet: 'S', range: 'A1:A4' })
  expect(book.shows('S', 'A2', 'A4')).toEqual(['Mon', 'Mon'])
})
