import { describe, expect, test } from 'vitest'
import { edited, openZoo, partText, shown, type ZooBook } from './zoo.contract.ts'

const set = (...cells: readonly string[]) => ({
  op: 'set_cells',
  sheet: 'S',
  cells: cells.map(cell => ({ cell, value: 9 })),
})
const first = (row: number, text: string, ref: string, index = 0) =>
  `<row r="${row}"><c r="A${row}"><v>${row}</v></c><c r="B${row}"><f t="shared" ref="${ref}" si="${index}">${text}</f><v>1</v></c></row>`
const next = (row: number, index = 0) =>
  `<row r="${row}"><c r="A${row}"><v>${row}</v></c><c r="B${row}"><f t="shared" si="${index}"/><v>1</v></c></row>`
const shownIn = (document: Parameters<typeof shown>[0], rows: readonly number[]) =>
  rows.map(row => shown(document, 'S', `B${row}`))

describe('two shared formulas of one index', () => {
  const book: ZooBook = {
    sheets: {
      S: first(1, 'A1+1', 'B1:B2') + next(2) + first(3, 'A3*10', 'B3:B4') + next(4),
    },
  }

  test('are each read for the cells of their range', () => {
    expect(shownIn(openZoo(book).document, [1, 2, 3, 4])).toEqual([
      '1 {=A1+1}',
      '1 {=A2+1}',
      '1 {=A3*10}',
      '1 {=A4*10}',
    ])
  })

  test('move each to the next of its own cells', () => {
    expect(shownIn(edited(book, [set('B3')]).after, [1, 2, 4])).toEqual([
      '1 {=A1+1}',
      '1 {=A2+1}',
      '1 {=A4*10}',
    ])
    expect(shownIn(edited(book, [set('B1', 'B3')]).after, [2, 4])).toEqual([
      '1 {=A2+1}',
      '1 {=A4*10}',
    ])
  })

  test('lose each the results that hang on the edit', () => {
    const apart: ZooBook = {
      sheets: { S: first(1, '$A$1+1', 'B1:B2') + next(2) + first(3, '$A$4', 'B3:B4') + next(4) },
    }
    expect(shownIn(edited(apart, [set('A1')]).after, [1, 2, 3, 4])).toEqual([
      '? {=$A$1+1}',
      '? {=$A$1+1}',
      '1 {=$A$4}',
      '1 {=$A$4}',
    ])
  })
})

test('a shared formula whose range is too small keeps all its cells when its first is overwritten', () => {
  const rows = first(1, 'A1+1', 'B1:B2') + next(2) + next(3) + next(4)
  const { after, bytes } = edited({ sheets: { S: rows } }, [set('B1')])
  expect(partText(bytes, 'xl/worksheets/sheet1.xml')).toContain('ref="B2:B4" si="0">A2+1</f>')
  expect(shownIn(after, [2, 3, 4])).toEqual(['1 {=A2+1}', '1 {=A3+1}', '1 {=A4+1}'])
})

test('the index of a shared string may have space around it', () => {
  const rows = '<row r="1"><c r="A1" t="s"><v>\n 1 </v></c></row>'
  const { after, results } = edited({ sheets: { S: rows }, strings: ['no', 'old'] }, [
    { op: 'find_replace', search: 'old', replace: 'new' },
  ])
  expect(results[0]).toMatchObject({ cellCount: 1 })
  expect(shown(after, 'S', 'A1')).toBe('new')
})
