import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { COMPUTED_INSTEAD } from '../../packages/documents/src/formats/xlsx/recompute/computed-instead.ts'
import {
  logged,
  NAME,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

const evaluator = createEvaluator()
const NAMES = ['Ann', 'Bob', 'Cid', 'Ann', 'Ann', 'Bob', 'Cid', 'Ann']
const BOOK = zooBook({
  strings: ['Date', 'Name', 'Net', 'Code', ...NAMES, 'X0-A'],
  sheets: {
    S: `<row r="1">${['A', 'B', 'C', 'D'].map((own, i) => `<c r="${own}1" t="s"><v>${i}</v></c>`).join('')}</row>${NAMES.map(
      (_, i) =>
        `<row r="${i + 2}"><c r="A${i + 2}" s="2"><v>${46_000 + i * 20}</v></c><c r="B${i + 2}" t="s"><v>${i + 4}</v></c><c r="C${i + 2}"><v>${i + 1}</v></c><c r="D${i + 2}" t="s"><v>12</v></c></row>`,
    ).join('')}`,
  },
})

/** The answer to the last of the calls. */
function answer(...calls: Operation[][]) {
  const document = unwrap(XlsxDocument.open(BOOK, NAME, evaluator))
  const answers = calls.map((operations, at) =>
    unwrap(document.apply(logged(operations, `tc_${at}`))),
  )
  const { results, warnings } = answers.at(-1)!
  return { messages: results.map(({ message }) => message), warnings }
}

const set = (cell: string, formula: string): Operation => ({
  op: 'set_cells',
  sheet: 'S',
  cells: [{ cell, value: { formula } }],
})
const fill = (formula: string): Operation => ({ op: 'fill', sheet: 'S', range: 'F2:F9', formula })

describe('an edit tells what its formulas give', () => {
  test('the first and the last of many, all of a few', () => {
    expect(answer([fill('C2*2')]).messages).toEqual([
      'Filled 8 cells in S!F2:F9; values: F2 2, F3 4, F4 6 … F7 12, F8 14, F9 16.',
    ])
    expect(answer([set('F2', 'C2/4')]).messages).toEqual(['Set 1 cell in S!F2; values: F2 0.25.'])
  })

  test('errors first, and which totals moved', () => {
    const [message] = answer([fill('6/(C2-3)')]).messages
    expect(message).toContain(
      '1 error: F4 #DIV/0!; values: F2 -3, F3 -6, F5 6 … F7 2, F8 1.5, F9 1.2',
    )
    const value = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'C2', value: 101 }] }
    expect(answer([set('F2', 'SUM(C2:C9)')], [value]).messages).toEqual([
      'Set 1 cell in S!C2; totals: S!F2 36 → 136.',
    ])
  })

  test('of appended rows too, and not of cells that a later operation moved', () => {
    const append = { op: 'append_rows', sheet: 'S', range: 'A1:F9', values: [['x', 'Dan', 9, 'c']] }
    expect(answer([fill('C2*2')], [append]).messages[0]).toContain('; values: F10 18')
    const insert = { op: 'insert_rows', sheet: 'S', at: 1 }
    expect(answer([fill('C2*2'), insert]).messages[0]).toBe('Filled 8 cells in S!F2:F9.')
    const sheet = { op: 'ensure_sheet', sheet: 'T' }
    expect(answer([fill('C2*2'), sheet]).messages[0]).toContain('values: F2 2')
  })
})

describe('a formula without a value', () => {
  test('is told each time that it is set, with the reason and a form that is computed', () => {
    const first = set('F2', 'INDIRECT("C"&C2)')
    const again = set('F2', 'INDIRECT("C"&C3)')
    for (const calls of [[[first]], [[first], [again]]])
      expect(answer(...calls).warnings.join()).toBe(
        '1 formula was not computed here: S!F2 (it has INDIRECT, whose input is only known when computed; computed here: INDEX(A2:A9,2)). It is calculated when the workbook is opened in a spreadsheet program.',
      )
    const other = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'J9', value: 1 }] }
    expect(answer([first], [other]).warnings).toEqual([])
  })

  test('formulas with one reason are told together', () => {
    expect(answer([fill('INDIRECT("C"&C2)')]).warnings.join()).toContain(
      '8 formulas were not computed here: S!F2:F9 (it has INDIRECT',
    )
  })

  test.each(COMPUTED_INSTEAD.map(([, use]) => [use]))('%s is computed', use => {
    expect(answer([set('H2', use)]).messages[0]).toMatch(/; values: H2 [^#]/)
  })
})
