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
const book = zooBook({
  strings: ['Net'],
  sheets: {
    S: '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><v>2</v></c></row><row r="4"><c r="A4"><v>3</v></c></row><row r="5"><c r="A5"><f>SUM(A2:A4)</f><v>6</v></c></row><row r="7"><c r="A7"><f>MAX(A2:A4)</f><v>3</v></c></row>',
  },
})

const append = (value: number): Operation => ({ op: 'append_rows', sheet: 'S', values: [[value]] })
const insert: Operation = { op: 'insert_rows', sheet: 'S', at: 1 }
const drop: Operation = { op: 'delete_rows', sheet: 'S', rows: '3' }
const set: Operation = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'A2', value: 5 }] }

/** What the last call tells of totals, and what a review of all of them tells. */
function toldBy(...calls: Operation[][]) {
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
    const told = toldBy(...calls)
    expect(told.call).toEqual(call)
    expect(told.review).toEqual(review.length > 0 ? review : call)
  })

  test('and those that only stand elsewhere now are not told', () => {
    expect(toldBy([insert])).toEqual({ call: [], review: [] })
    expect(toldBy([set], [insert]).call).toEqual([])
  })
})
