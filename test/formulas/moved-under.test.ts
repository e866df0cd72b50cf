import type { Operation } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import {
  logged,
  NAME,
  shown,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

const evaluator = createEvaluator()

/** Formulas of `E` read the cells of `A1:B4` in every way; what each shows is in the file. */
const READERS: Readonly<Record<string, readonly [formula: string, value: number]>> = {
  E1: ['A2+A3', 3],
  E2: ['SUM(A1:A3)', 6],
  E3: ['VLOOKUP(2,A1:B4,2,FALSE)', 30],
  E4: ['SUM(Own)', 11],
  E5: ['E1*10', 30],
  E6: ['SUMIF(A:A,2,B:B)', 30],
  E7: ['MATCH(2,A:A,0)', 3],
  E8: ['SUM(S:T!B1)', 10],
  E9: ['INDEX(B:B,MATCH(2,A:A,0))', 30],
}

const number = (cell: string, value: number) => `<c r="${cell}"><v>${value}</v></c>`
const ROWS = [
  [3, 10],
  [1, 20],
  [2, 30],
  [5, 40],
]
const BOOK = zooBook({
  sheets: {
    S: Array.from({ length: 9 }, (_, index) => index + 1)
      .map(row => {
        const [a, b] = ROWS[row - 1] ?? []
        const [formula, value] = READERS[`E${row}`]!
        const own = a === undefined ? '' : number(`A${row}`, a) + number(`B${row}`, b!)
        return `<row r="${row}">${own}<c r="E${row}"><f>${formula}</f><v>${value}</v></c></row>`
      })
      .join(''),
    T: `<row r="1">${number('B1', 0)}</row>`,
  },
  names: '<definedName name="Own">S!$A$1:$A$4</definedName>',
})

function edited(bytes: Uint8Array, ...operations: Operation[]): Uint8Array {
  const document = unwrap(XlsxDocument.open(bytes, NAME, evaluator))
  unwrap(document.apply(logged(operations)))
  return toBytes(unwrap(document.content()), bytes)
}

/** The values of the readers after an operation, `?` for none, wherever they are then. */
function after(operation: Operation): string[] {
  const saved = unwrap(XlsxDocument.open(edited(BOOK, operation), NAME))
  return Array.from({ length: 10 }, (_, index) => shown(saved, 'S', `E${index + 1}`))
    .filter(text => text.includes('{='))
    .map(text => text.slice(0, text.indexOf(' ')))
}

// the values that LibreOffice computes for the same files
test.each([
  [
    { op: 'sort_range', sheet: 'S', range: 'A1:B4', by: ['A'], header: false },
    ['5', '6', '30', '11', '50', '30', '2', '20', '30'],
  ],
  [{ op: 'insert_rows', sheet: 'S', at: 3 }, ['3', '6', '30', '11', '30', '30', '4', '10', '30']],
  [{ op: 'delete_rows', sheet: 'S', rows: '1' }, ['3', '30', '8', '#REF!', '30', '2', '20', '30']],
  [
    { op: 'move_range', sheet: 'S', range: 'A2', to: 'G9' },
    ['3', '5', '30', '10', '30', '30', '3', '10', '30'],
  ],
  [
    { op: 'insert_cells', sheet: 'S', range: 'A2', shift: 'down' },
    ['3', '6', '40', '11', '30', '40', '4', '10', '40'],
  ],
  [
    { op: 'remove_duplicates', sheet: 'S', range: 'A1:B4', columns: ['A'] },
    ['3', '6', '30', '11', '30', '30', '3', '10', '30'],
  ],
])('a formula that cells move under shows what it reads then: %j', (operation, values) => {
  expect(after(operation)).toEqual(values)
})

test.each([
  [{ op: 'edit_table', table: 'Numbers', range: 'A1:B4' }, '11', '62'],
  [{ op: 'delete_rows', sheet: 'S', rows: '2' }, '5', '62'],
  [{ op: 'delete_cells', sheet: 'S', range: 'A2:B2', shift: 'up' }, '5', '75'],
  [{ op: 'delete_columns', sheet: 'S', columns: 'B' }, '6', '\\?'],
])('so does one that names a table, a row or a column: %j', (operation, column, row) => {
  const table = { op: 'add_table', sheet: 'S', range: 'A1:B3', name: 'Numbers', header: false }
  const set = (cell: string, formula: string) => ({ cell, value: { formula } })
  const cells = [set('A1', 'SUM(Numbers[Column1])'), set('A2', 'SUM(S!$3:$3)')]
  const made = edited(BOOK, table, { op: 'set_cells', sheet: 'T', cells })
  const saved = unwrap(XlsxDocument.open(edited(made, operation), NAME))
  expect([shown(saved, 'T', 'A1'), shown(saved, 'T', 'A2')]).toEqual([
    expect.stringMatching(new RegExp(`^${column} `)),
    expect.stringMatching(new RegExp(`^${row} `)),
  ])
})
