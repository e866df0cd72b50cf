import type { Operation } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { edited, logged, openZoo, shown, type ZooBook } from './zoo.contract.ts'

// Style 2 is a date. 46023 is the first of January 2026.
const ROWS = [
  ['North', 46023, 1],
  ['South', 46054, 2],
  ['East', 46082, 3],
] as const
const text = (at: string, value: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
const book: ZooBook = {
  sheets: {
    S: `<row r="1">${text('A1', 'Region')}${text('B1', 'Day')}${text('C1', 'Net')}</row>${ROWS.map(([region, day, net], index) => `<row r="${index + 2}">${text(`A${index + 2}`, region)}<c r="B${index + 2}" s="2"><v>${day}</v></c><c r="C${index + 2}"><v>${net}</v></c></row>`).join('')}`,
    T: '<row r="1"><c r="A1" s="2"><v>46053</v></c><c r="B1"><v>1</v></c><c r="C1"><v>3</v></c></row>',
  },
}
const column = (operation: Operation, cells: string) => {
  const { after } = edited(book, [operation])
  return cells.split(' ').map(cell => shown(after, operation.sheet as string, cell))
}

const set = (cell: string, date: string): Operation => {
  return { op: 'set_cells', sheet: 'S', cells: [{ cell, value: { date } }] }
}

function refused(operation: Operation): string {
  const result = openZoo(book).document.apply(logged([operation]))
  return result.ok ? 'done' : result.failure.message
}

test('a day that is appended as text below dates is a date, and elsewhere gets a warning', () => {
  const values = [['West', '2026-04-01', '2026-04-01']]
  const { after, warnings } = edited(book, [{ op: 'append_rows', sheet: 'S', values }])
  const own = edited(book, [set('B4', '2026-04-01')])
  expect(shown(after, 'S', 'B5')).toBe(shown(own.after, 'S', 'B4'))
  expect(shown(after, 'S', 'C5')).toBe('"2026-04-01"')
  expect(warnings.join()).toContain('Written as text although they look like dates: C5.')
  expect(warnings.join()).not.toContain('B5')
})

test.each<[string, object, string[]]>([
  ['any of a list', { column: 'Region', equals: ['North', 'East'] }, ['South']],
  ['none of a list', { column: 'Region', not_equals: ['north', 'East'] }, ['North', 'East']],
  ['days before one', { column: 'Day', below: '2026-02-01' }, ['South', 'East']],
  ['days after one', { column: 'Day', above: '2026-02-01' }, ['North', 'South']],
  ['a day', { column: 'Day', equals: '2026-02-01' }, ['North', 'East']],
])('rows are deleted by %s', (_, where, left) => {
  const places = ['A2', 'A3', 'A4'].slice(0, left.length).join(' ')
  expect(column({ op: 'delete_rows', sheet: 'S', where }, places)).toEqual(left)
})

test('a limit that is no number and no date is refused', () => {
  const where = { column: 'Net', above: 'two' }
  expect(refused({ op: 'delete_rows', sheet: 'S', where })).toContain(
    'above takes a number or a date such as "2026-01-31"',
  )
})

test.each<[string, object, string, string, string[]]>([
  ['by the step of its first two cells', {}, 'B1:E1', 'B1 C1 D1 E1', ['1', '3', '5', '7']],
  ['by the step that is sent', { by: 10 }, 'B1:D1', 'B1 C1 D1', ['1', '11', '21']],
])('a series goes on %s', (_, series, range, cells, expected) => {
  expect(column({ op: 'fill', sheet: 'T', range, series }, cells)).toEqual(expected)
})

test('a series by months begins with the date of its first cell', () => {
  const { after } = edited(book, [
    { op: 'fill', sheet: 'T', range: 'A1:A3', series: { unit: 'month' } },
  ])
  const days = ['A1', 'A2', 'A3'].map(cell => shown(after, 'T', cell))
  const ends = edited(book, [
    {
      op: 'set_range',
      sheet: 'T',
      start: 'A1',
      values: [['2026-01-31'], ['2026-02-28'], ['2026-03-31']].map(([date]) => [{ date }]),
    },
  ])
  expect(days).toEqual(['A1', 'A2', 'A3'].map(cell => shown(ends.after, 'T', cell)))
  expect(refused({ op: 'fill', sheet: 'T', range: 'B1:B3', series: { unit: 'month' } })).toContain(
    'a series by month starts with a date, and the first cell holds 1',
  )
})
