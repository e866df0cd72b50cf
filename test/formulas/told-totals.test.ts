import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import {
  logged,
  NAME,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

const evaluator = createEvaluator()

/** A list with its sum right below it and its greatest number two rows on. */
const listWith = (beside: string) =>
  zooBook({
    strings: ['Net'],
    sheets: {
      S: `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><v>2</v></c></row><row r="4"><c r="A4"><v>3</v></c></row><row r="5"><c r="A5"><f>SUM(A2:A4)</f><v>6</v></c></row><row r="7"><c r="A7"><f>MAX(A2:A4)</f><v>3</v></c>${beside}</row>`,
    },
  })
const list = listWith('')
/** Something stands beside it, so that its column alone moves. */
const besideSomething = listWith('<c r="D7"><v>4</v></c>')

const append = (value: number): Operation => ({ op: 'append_rows', sheet: 'S', values: [[value]] })
const insert: Operation = { op: 'insert_rows', sheet: 'S', at: 1 }
const drop: Operation = { op: 'delete_rows', sheet: 'S', rows: '3' }
const set: Operation = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'A2', value: 5 }] }

/** What the last call tells of totals, and what a review of all of them tells. */
function toldBy(calls: Operation[][], book = list) {
  const document = unwrap(XlsxDocument.open(book, NAME, evaluator))
  const answers = calls.map((operations, at) =>
    unwrap(document.apply(logged(operations, `tc_${at}`))),
  )
  const totals = answers.at(-1)!.results.at(-1)!.totals as
    | { cell: string; from: unknown; to: unknown }[]
    | undefined
  return {
    call: (totals ?? []).map(({ cell, from, to }) => `${cell} ${from} → ${to}`),
    review: document
      .consequences()
      .map(({ place, before, after }) => `${place} ${before?.text} → ${after?.text}`),
  }
}

describe('totals that moved are told from what to what', () => {
  test.each<[string, Operation[][], string[], string[]]>([
    ['a row is appended', [[append(10)]], ['S!A6 6 → 16', 'S!A8 3 → 10'], []],
    ['two are', [[append(10), append(20)]], ['S!A7 6 → 36', 'S!A9 3 → 20'], []],
    ['a row of the list is deleted', [[drop]], ['S!A4 6 → 4'], []],
    [
      'rows moved before in the same call',
      [[insert, append(10)]],
      ['S!A7 6 → 16', 'S!A9 3 → 10'],
      [],
    ],
    [
      'a cell was set in an earlier call',
      [[set], [append(10)]],
      ['S!A6 10 → 20', 'S!A8 5 → 10'],
      ['S!A6 6 → 20', 'S!A8 3 → 10'],
    ],
    ['rows moved in an earlier call', [[insert], [drop]], ['S!A5 6 → 5'], ['S!A5 6 → 5']],
  ])('when %s', (_, calls, call, review) => {
    const told = toldBy(calls)
    expect(told.call).toEqual(call)
    expect(told.review).toEqual(review.length > 0 ? review : call)
  })

  test.each<[string, Operation, string[]]>([
    ['a row is appended', append(10), ['S!A6 6 → 16', 'S!A8 3 → 10']],
    ['cells are inserted', { op: 'insert_cells', sheet: 'S', range: 'A3', shift: 'down' }, []],
    [
      'cells are deleted',
      { op: 'delete_cells', sheet: 'S', range: 'A3', shift: 'up' },
      ['S!A4 6 → 4'],
    ],
    ['the sum is moved', { op: 'move_range', sheet: 'S', range: 'A5', to: 'A9' }, []],
  ])('where one column moves and %s', (_, operation, totals) => {
    expect(toldBy([[operation]], besideSomething).call).toEqual(totals)
  })

  test('and those that only stand elsewhere now are not told', () => {
    expect(toldBy([[insert]])).toEqual({ call: [], review: [] })
    expect(toldBy([[set], [insert]]).call).toEqual([])
  })
})

test.each<[string, Operation, Record<string, number>]>([
  ['a row is appended', append(10), { A6: 20, A8: 10, A10: 9 }],
  [
    'cells are inserted',
    { op: 'insert_cells', sheet: 'S', range: 'A2:A3', shift: 'down' },
    { A7: 10, A9: 5, A11: 9 },
  ],
  [
    'cells are deleted',
    { op: 'delete_cells', sheet: 'S', range: 'A3', shift: 'up' },
    { A4: 8, A6: 5, A8: 9 },
  ],
])('where one column moves, what was edited before has its result: %s', (_, operation, wanted) => {
  const document = unwrap(XlsxDocument.open(besideSomething, NAME, evaluator))
  const formula: Operation = {
    op: 'set_cells',
    sheet: 'S',
    cells: [{ cell: 'A9', value: { formula: '=A4*3' } }],
  }
  unwrap(document.apply(logged([set, formula, operation])))
  const read = unwrap(document.read({ sheet: 'S', range: 'A1:A12' }, { maxBytes: 20_000 }))
  const cells = read.fields.cells as { cell: string; value: unknown; formula?: string }[]
  const computed = cells.filter(own => own.formula !== undefined)
  expect(Object.fromEntries(computed.map(({ cell, value }) => [cell, value]))).toEqual(wanted)
})
