import type { Operation } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { ZooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { ComputedBook } from './computed-book.contract.ts'

const BOOK: ZooBook = {
  strings: ['n', 'x', 'y', 'North'],
  sheets: {
    S:
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>' +
      '<row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2"><v>2</v></c><c r="C2" s="1"><f>B2*10</f><v>20</v></c>' +
      '<c r="E2"><f t="array" ref="E2:E3">B2:B3*2</f><v>4</v></c><c r="G2" t="str"><f>A2&amp;"!"</f><v>North!</v></c></row>' +
      '<row r="3"><c r="B3"><v>3</v></c><c r="C3" s="1"><f>B3*10</f><v>30</v></c><c r="E3"><v>6</v></c>' +
      '<c r="G3" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="H3" t="b"><f>B3&gt;2</f><v>1</v></c></row>',
    T: '<row r="1"><c r="A1"><f>SUM(S!C2:C3)</f><v>50</v></c><c r="B1"><f>INFO("osversion")</f></c></row>',
  },
}

const freeze = (range?: string, sheet = 'S'): Operation => ({
  op: 'freeze_values',
  sheet,
  ...(range !== undefined && { range }),
})
const set = (cell: string, value: unknown, sheet = 'S'): Operation => ({
  op: 'set_cells',
  sheet,
  cells: [{ cell, value }],
})

test('formulas become the values that they show after the edits of the draft', () => {
  const book = new ComputedBook(BOOK)
  book.run(set('B2', 7), set('B3', { formula: 'B2+1' }), freeze('B3:C3'))
  expect(book.shows('S', 'B3', 'C2', 'C3')).toEqual([8, 70, 80])
  const xml = book.part('xl/worksheets/sheet1.xml')
  expect(xml).toContain('<c r="C3" s="1"><v>80</v></c>')
  expect(xml).toContain('<f>B2*10</f>')
  book.run(set('B2', 1))
  expect(book.shows('S', 'B3', 'C2', 'C3')).toEqual([8, 10, 80])
  expect(book.shows('T', 'A1')).toEqual([90])
  book.holds()
})

test('a whole sheet: arrays, texts, logical values and errors, which are named', () => {
  const book = new ComputedBook(BOOK)
  const { results, warnings } = book.run(freeze())
  expect(results[0]).toMatchObject({ range: 'A1:H3', cellCount: 7 })
  expect(warnings.join()).toContain('Frozen as errors: G3 (#DIV/0!)')
  expect(book.shows('S', 'E2', 'E3', 'G2', 'G3', 'H3')).toEqual([4, 6, 'North!', '#DIV/0!', true])
  expect(book.part('xl/worksheets/sheet1.xml')).not.toContain('<f')
  book.holds()
})

test('an array is frozen whole or not at all', () => {
  const book = new ComputedBook(BOOK)
  expect(book.refusal(freeze('E2'))).toContain('E2:E3 on sheet "S" is filled by one formula')
  book.run(freeze('C2:E3'))
  expect(book.without(['S!E3'], 'S', 'C3', 'E2', 'E3')).toEqual([30, 4, 6])
  book.holds()
})

test('what is not known is refused by name with the reason', () => {
  const book = new ComputedBook(BOOK)
  const why = book.refusal(freeze(undefined, 'T'))
  expect(why).toContain('B1 (')
  expect(why).toContain('it is not known what 1 formula of T shows')
  expect(why).not.toContain('A1')
  book.run(set('F2', { formula: 'FILTER(B2:B3,B2:B3>1)' }))
  expect(book.refusal(freeze('F2'))).toContain('F2 (')
  expect(book.refusal(freeze('A1', 'Missing'))).toContain('Missing')
})

test('a formula of this draft that is refused takes its frozen value along', () => {
  const book = new ComputedBook(BOOK)
  book.run(set('D2', { formula: 'C2+1' }))
  book.run(freeze('C2:D3'))
  expect(book.shows('S', 'D2')).toEqual([21])
  expect(book.without(['S!D2'], 'S', 'C2', 'D2')).toEqual([20, null])
})

test('nothing to freeze is said', () => {
  const book = new ComputedBook(BOOK)
  const { results, changes } = book.run(freeze('A1:B3'))
  expect(changes).toEqual([])
  expect(results[0]!.message).toBe('S!A1:B3 has no formulas, so nothing was changed.')
})
