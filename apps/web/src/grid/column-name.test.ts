import { expect, test } from 'vitest'
import { columnName, parseCell } from './column-name.ts'

test('columns have letters, and a cell is found by its name', () => {
  expect([0, 25, 26, 701, 702, 16_383].map(columnName)).toEqual([
    'A',
    'Z',
    'AA',
    'ZZ',
    'AAA',
    'XFD',
  ])
  expect(parseCell('B2')).toEqual({ row: 1, column: 1 })
  expect(parseCell('Sales!AA10')).toEqual({ sheet: 'Sales', row: 9, column: 26 })
  expect(parseCell("'It''s 2026'!C3")).toEqual({ sheet: "It's 2026", row: 2, column: 2 })
  expect(parseCell('sheet Costs')).toBeUndefined()
  expect(parseCell('Sales!A1:B2')).toBeUndefined()
})
