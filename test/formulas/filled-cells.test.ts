import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/format.ts'
import {
  logged,
  NAME,
  shown,
  type ZooBook,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

const evaluator = createEvaluator()

/** The results of cells, live and in the file, after one input was changed; `?` where there is none. */
function afterEdit(rows: string, cell: string, value: unknown, asked: readonly string[]): string[] {
  const book: ZooBook = { sheets: { S: rows } }
  const bytes = zooBook(book)
  const document = unwrap(XlsxDocument.open(bytes, NAME, evaluator))
  unwrap(document.apply(logged([{ op: 'set_cells', sheet: 'S', cells: [{ cell, value }] }])))
  const saved = unwrap(xlsxFormat.open(toBytes(unwrap(document.content()), bytes), NAME))
  return asked.map(own => {
    const live = shown(document, 'S', own)
    expect(shown(saved, 'S', own)).toBe(live)
    return live.replace(/ \{.*/, '')
  })
}

const row = (number: number, ...cells: readonly string[]) =>
  `<row r="${number}">${cells.join('')}</row>`
const number = (cell: string, value: number) => `<c r="${cell}"><v>${value}</v></c>`
const formula = (cell: string, text: string, value: number) =>
  `<c r="${cell}"><f>${text}</f><v>${value}</v></c>`
const filled = (cell: string, tag: string, value: number, more = '') =>
  `<c r="${cell}"${more}><f ${tag}</f><v>${value}</v></c>`

describe('a reader of cells that another formula fills has no old result', () => {
  const array = row(
    1,
    number('A1', 1),
    filled('B1', 't="array" ref="B1:B3">A1:A3*2', 2),
    formula('C1', 'B2+1', 5),
    formula('D1', 'SUM(B2:B3)', 10),
  )
  const rest =
    row(2, number('A2', 2), number('B2', 4), formula('C2', 'C1*10', 50)) +
    row(3, number('A3', 3), number('B3', 6), formula('C3', 'A1+1', 2))

  test('of an array, directly or through others; what does not read it keeps its result', () => {
    const asked = ['B1', 'C1', 'C2', 'D1', 'C3']
    expect(afterEdit(array + rest, 'A2', 100, asked)).toEqual(['?', '?', '?', '?', '2'])
  })

  test('of a data table', () => {
    const rows =
      row(
        1,
        number('A1', 5),
        number('B1', 2),
        formula('D1', 'A1*B1', 10),
        formula('F1', 'D4*2', 12),
      ) +
      row(
        2,
        number('C2', 1),
        filled('D2', 't="dataTable" ref="D2:D4" dt2D="0" dtr="0" r1="A1">', 2),
      ) +
      row(3, number('C3', 2), number('D3', 4)) +
      row(4, number('C4', 3), number('D4', 6))
    expect(afterEdit(rows, 'B1', 3, ['D1', 'F1'])).toEqual(['15', '?'])
  })

  const spill = (ref: string, below = '') =>
    row(
      1,
      number('A1', 1),
      filled('D1', `t="array" ref="${ref}">_xlfn._xlws.FILTER(A1:A9,A1:A9&gt;0)`, 1, ' cm="1"'),
      formula('E1', 'D1*10', 10),
      formula('F1', 'D9+1', 1),
    ) +
    row(2, number('A2', 2), number('D2', 2), formula('E2', 'IF(D2="","",D2*10)', 20)) +
    row(3, number('A3', -1), formula('E3', 'D3*10', 0)) +
    below

  test('of a spill, and of the cells that it may come to fill', () => {
    expect(afterEdit(spill('D1:D2'), 'A3', 3, ['E1', 'E2', 'E3', 'F1'])).toEqual([
      '?',
      '?',
      '?',
      '?',
    ])
  })

  test('but not of cells below what the spill cannot grow over', () => {
    const below = row(5, number('D5', 7)) + row(6, formula('E6', 'D6+1', 1))
    const asked = ['E3', 'E6']
    expect(afterEdit(spill('D1:D2', below), 'A3', 3, asked)).toEqual(['?', '1'])
  })

  test('of a spill that an edit writes', () => {
    const rows = row(1, number('A1', 1), formula('E1', 'D2+1', 1)) + row(2, number('A2', 2))
    const value = { formula: 'FILTER(A1:A2,A1:A2>0)' }
    expect(afterEdit(rows, 'D1', value, ['D1', 'E1'])).toEqual(['?', '?'])
  })
})

test('a text that a formula makes is asked the same as one that stands in the file', () => {
  const text = (cell: string, own: string, value: string) =>
    `<c r="${cell}" t="str"><f>${own}</f><v>${value}</v></c>`
  const rows =
    row(
      1,
      number('A1', 1),
      text('B1', 'IF(A1&gt;5,&quot; 2024-01-10 &quot;,&quot;x&quot;)', 'x'),
      `<c r="C1" t="e"><f>FLOOR.MATH(B1)</f><v>#VALUE!</v></c>`,
    ) +
    row(
      2,
      text('B2', 'IF(A1&gt;5,&quot;#REF!&quot;,&quot;x&quot;)', 'x'),
      `<c r="C2" t="e"><f>INT(B2)</f><v>#VALUE!</v></c>`,
    )
  expect(afterEdit(rows, 'A1', 9, ['C1', 'C2'])).toEqual(['?', '?'])
})
