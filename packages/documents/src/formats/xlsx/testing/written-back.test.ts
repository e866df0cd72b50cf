import { expect, test } from 'vitest'
import { edited, partText, type ZooBook } from './zoo.contract.ts'

const book: ZooBook = {
  sheets: {
    S: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>2</v></c><c r="C1" s="2"><v>46053</v></c><c r="D1"><f>B1*2</f><v>4</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" t="b"><v>1</v></c></row>',
  },
  strings: ['Rent', '<r><t>Ga</t></r><r><rPr><b/></rPr><t>s</t></r>'],
}
const block = (...values: unknown[][]) => ({ op: 'set_range', sheet: 'S', start: 'A1', values })
const held = ['Rent', 2, { date: '2026-01-31' }, { formula: 'B1*2' }]

test('a block that is written back with one cell changed is one change', () => {
  const { changes, results, bytes } = edited(book, [block(held, ['Gas', false])])
  expect(changes.map(({ place }) => place)).toEqual(['S!B2'])
  expect(results[0]!.message).toBe('Set 1 cell in S!A1:D2; another 5 cells already had that value.')
  const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
  expect(sheet).toContain('<c r="D1"><f>B1*2</f><v>4</v></c></row><row r="2"><c r="A2" t="s">')
})

test('a block that is written back as it is changes nothing', () => {
  const { changes, results, bytes, before } = edited(book, [block(held, ['Gas', true])])
  expect(changes).toEqual([])
  expect(results[0]!.message).toBe('Set 0 cells in S!A1:D2; 6 cells already had that value.')
  expect(Buffer.compare(bytes, before)).toBe(0)
})

test('a number is the one that was read, in all the digits that were shown', () => {
  const rows = '<row r="1"><c r="A1"><v>0.6229333333333333</v></c></row>'
  const write = (value: number) => edited({ sheets: { S: rows } }, [block([value])]).changes
  expect(write(0.622933333333333)).toEqual([])
  expect(write(0.62293333333333)).toHaveLength(1)
})

test('a different value, format or formula that looks the same is a change', () => {
  const { changes } = edited(book, [
    block(['Rent', '2', 46053, 4], [{ rich_text: [{ text: 'Gas', bold: true }] }, 1]),
  ])
  expect(changes.map(({ place }) => place)).toEqual(['S!B1', 'S!D1', 'S!A2', 'S!B2'])
})

test('a value that an earlier change of the draft brought is set again, since that change may be refused', () => {
  const set = (value: string) => ({ op: 'set_cells', sheet: 'S', cells: [{ cell: 'A1', value }] })
  expect(edited(book, [set('Lease'), set('Lease')]).changes).toHaveLength(2)
  expect(edited(book, [set('Lease'), set('Rent')]).changes).toHaveLength(2)
})
