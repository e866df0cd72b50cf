import type { Operation } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { randomFrom } from '../../packages/documents/src/formats/xlsx/testing/random-edits.contract.ts'
import type { ZooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { ComputedBook } from './computed-book.contract.ts'

const BOOK: ZooBook = {
  strings: ['Region', 'Jan', 'Feb', 'North', 'South', 'Total'],
  sheets: {
    S:
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" s="2"><v>46000</v></c></row>' +
      '<row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2" s="1"><v>10</v></c><c r="C2"><f>B2*2</f><v>20</v></c></row>' +
      '<row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3" s="1"><v>30</v></c><c r="D3"><v>5</v></c></row>',
    T: '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>INFO("osversion")</f></c></row>',
  },
}

const on = (op: string, fields: object): Operation => ({
  op,
  sheet: 'S',
  range: 'A1:D3',
  ...fields,
})
const set = (cell: string, value: unknown): Operation => ({
  op: 'set_cells',
  sheet: 'S',
  cells: [{ cell, value }],
})

/** The rows of a block. */
function rowsAt(book: ComputedBook, sheet: string, columns: string, from: number, count: number) {
  return Array.from({ length: count }, (_, index) =>
    book.shows(sheet, ...[...columns].map(column => `${column}${from + index}`)),
  )
}

describe('unpivot', () => {
  test('each value gets a row with its header, as the draft shows it now, with its number format', () => {
    const book = new ComputedBook(BOOK)
    const { results, warnings } = book.run(
      set('B2', 11),
      on('unpivot', { keep: ['Region'], to: 'F1', names: ['Month', 'Net'] }),
    )
    expect(rowsAt(book, 'S', 'FGH', 1, 6)).toEqual([
      ['Region', 'Month', 'Net'],
      ['North', 'Jan', 11],
      ['North', 'Feb', 22],
      ['South', 'Jan', 30],
      ['South', 46_000, 5],
      [null, null, null],
    ])
    expect(results[1]).toMatchObject({ range: 'F1:H5', rowCount: 4, cellCount: 15 })
    expect(warnings.join()).toContain('2 empty cells made no row')
    expect(book.part('xl/worksheets/sheet1.xml')).toContain('<c r="H2" s="1">')
    expect(book.part('xl/worksheets/sheet1.xml')).toMatch(/<c r="G5" s="[2-9]">/)
    expect(book.without(['S!B2'], 'S', 'B2', 'C2', 'F1', 'H2')).toEqual([10, 20, null, null])
    book.holds()
  })

  test('into another sheet, which a corrected call makes', () => {
    const book = new ComputedBook(BOOK)
    const call = on('unpivot', { columns: ['B', 'C'], to: 'Long!B2' })
    expect(book.refusal(call)).toContain('put {"op":"ensure_sheet","sheet":"Long"} before it')
    book.run({ op: 'ensure_sheet', sheet: 'Long' }, call)
    expect(rowsAt(book, 'Long', 'BCDE', 2, 3)).toEqual([
      ['Region', 46_000, 'Name', 'Value'],
      ['North', null, 'Jan', 10],
      ['North', null, 'Feb', 20],
    ])
    expect(book.without(['sheet Long'], 'S', 'A1', 'F1')).toEqual(['Region', null])
    book.holds()
  })

  test('is refused over content, over its source and where a value is not known', () => {
    const book = new ComputedBook(BOOK)
    const why = (fields: object) => book.refusal(on('unpivot', { keep: ['A'], ...fields }))
    expect(why({ to: 'D1' })).toContain('is over its source A1:D3')
    expect(why({ to: 'T!A1' })).toContain('and A1 has content')
    expect(why({ to: 'F1', keep: undefined })).toContain('unpivot needs keep')
    expect(why({ to: 'F1', keep: ['Nobody'] })).toContain('"Nobody" is no column')
    expect(why({ to: 'F1', names: ['One'] })).toContain('names are two headers')
    expect(why({})).toContain('unpivot needs to')
    const stale = on('unpivot', { sheet: 'T', range: 'A1:B2', keep: ['A'], to: 'F1' })
    expect(book.refusal(stale)).toContain('T!B1 is a formula without a known value')
    book.run(on('unpivot', { keep: ['A'], to: 'T!A1', overwrite: true }))
    expect(book.shows('T', 'A1', 'C2')).toEqual(['Region', 10])
  })
})

describe('pivot_rows', () => {
  const LIST = {
    ...{ op: 'set_range', sheet: 'S', start: 'A10' },
    values: [
      ['Region', 'Month', 'Net', 'Who'],
      ['North', 'Jan', 1, 'Ann'],
      ['south', 'Jan', 2, 'Bob'],
      ['North', 'Feb', 3, 'Cay'],
      ['South', 'Jan', 4, 'Dee'],
    ],
  }
  const pivot = (fields: object) => on('pivot_rows', { range: 'A10:D14', to: 'F10', ...fields })

  test('one row for each key and one column for each value of a column', () => {
    const book = new ComputedBook(BOOK)
    book.run(LIST)
    const call = { rows: ['Region'], columns: 'Month', values: ['Net'] }
    expect(book.refusal(pivot(call))).toContain('C12 and C14 would come to the same cell')
    book.run(pivot({ ...call, function: 'sum' }))
    expect(rowsAt(book, 'S', 'FGH', 10, 3)).toEqual([
      ['Region', 'Jan', 'Feb'],
      ['North', 1, 3],
      ['south', 6, null],
    ])
    book.holds()
  })

  test.each<[string, unknown, unknown]>([
    ['count', 2, 2],
    ['average', 2, 3],
    ['min', 1, 2],
    ['max', 3, 4],
    ['first', 1, 2],
  ])('%s of the groups', (kind, north, south) => {
    const book = new ComputedBook(BOOK)
    book.run(LIST, pivot({ rows: ['Region'], values: ['Net'], function: kind }))
    expect(rowsAt(book, 'S', 'FG', 10, 3)).toEqual([
      ['Region', 'Net'],
      ['North', north],
      ['south', south],
    ])
  })

  test('texts of a group are joined, and have no sum', () => {
    const book = new ComputedBook(BOOK)
    book.run(LIST)
    const call = { rows: ['Region'], values: ['Who'] }
    expect(book.refusal(pivot({ ...call, function: 'sum' }))).toContain('which has no sum')
    expect(book.refusal(pivot({ ...call, function: 'median' }))).toContain('function is one of')
    expect(book.refusal(pivot({ rows: ['Region'] }))).toContain('pivot_rows needs rows')
    book.run(pivot({ ...call, function: 'join', separator: ' + ' }))
    expect(book.shows('S', 'G11', 'G12')).toEqual(['Ann + Cay', 'Bob + Dee'])
  })
})

test('what is unpivoted and pivoted again is the same table', () => {
  for (let seed = 0; seed < 25; seed++) {
    const random = randomFrom(seed)
    const [width, height] = [2 + Math.floor(random() * 4), 1 + Math.floor(random() * 5)]
    const columns = 'ABCDEF'.slice(0, width)
    const table = [
      [...columns].map(own => `Head ${own}`),
      ...Array.from({ length: height }, (_, row) =>
        [...columns].map((_own, index) => (index === 0 ? `key ${row}` : Math.floor(random() * 90))),
      ),
    ]
    const book = new ComputedBook({ sheets: { S: '', L: '' } })
    const last = `${columns.at(-1)}${height + 1}`
    book.run(
      { op: 'set_range', sheet: 'S', start: 'A1', values: table },
      { op: 'unpivot', sheet: 'S', range: `A1:${last}`, keep: ['A'], to: 'L!A1' },
      {
        ...{ op: 'pivot_rows', sheet: 'L', range: `A1:C${height * (width - 1) + 1}`, to: 'S!A20' },
        ...{ rows: ['A'], columns: 'Name', values: ['Value'] },
      },
    )
    expect(rowsAt(book, 'S', columns, 20, height + 1), `seed ${seed}`).toEqual(table)
  }
})
