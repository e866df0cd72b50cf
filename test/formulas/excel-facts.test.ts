import type { CellValue } from '@filewright/documents'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { Recomputed } from '../../packages/documents/src/formats/xlsx/recompute/recompute.ts'
import {
  logged,
  NAME,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'
import { isRight } from './excel-truth.contract.ts'
import { cellsOf, readFormulas } from './proofs.contract.ts'

const NA = { error: '#N/A' }

/** The cells that the facts are about; null is an empty one. */
const CELLS: Readonly<Record<string, readonly (CellValue | null)[]>> = {
  A: [true, null, null, null, null, null, 5],
  B: [null, ' \u00A0x\u00A0 ', '\tx'],
  C: [3, 1, 2, 534],
  D: ['1-9', '10%', '$5/unit'],
  E: ['12', 3, 5, '7'],
  F: [10, '', 20, 30],
  G: [NA, NA, 1],
  H: [44620, 44985, 40540, 42318, 42420],
  K: [1, 2, 3, 4, 'x', 6],
  L: [2, 3, 4, 5, 99, 7],
  M: [-5],
  N: [4],
  O: [-1],
  P: [-900, 50, 60, 70, 80, 90, 100],
  Q: [0.2],
  U: [4, '8', 6, '20'],
  X: ['1', '1.1', '2.99999'],
  Y: [23, '23', true, 1, -23, 'hey', false],
}
const ROWS = 10
const evaluator = createEvaluator()

/** Not computed here, which is right too: Excel gives up after twenty steps; a truth value given as text is not proven. */
const ABSENT = new Set(['RATE(3300,-200,8000)', 'NORM.DIST(1,0,1,"TRUE")', 'MROUND(,2)'])

test('what Excel gives for single formulas is what they give here, or nothing', () => {
  const facts = readFormulas('excel-facts.txt')
  const rows = Array.from(
    { length: ROWS },
    (_, at) => `<row r="${at + 1}">${cellsOf(CELLS, at)}</row>`,
  )
  const base = zooBook({ sheets: { S: rows.join('') } })
  const document = unwrap(XlsxDocument.open(base, NAME, evaluator))
  const cells = facts.map(({ formula }, at) => ({ cell: `AA${at + 1}`, value: { formula } }))
  unwrap(document.apply(logged([{ op: 'set_cells', sheet: 'S', cells }])))
  const { results } = document.book.values
  if (!(results instanceof Recomputed)) throw new Error('nothing was computed')
  const others = facts.flatMap(({ formula, byHand }, at) => {
    const { value, reason } = results.cells.find(({ row }) => row === at + 1)!
    const ours = value && (value.type === 'error' ? { error: value.value } : value.value)
    if (ours === undefined || ours === null)
      return ABSENT.has(formula) ? [] : [`${formula}: ${reason}`]
    const isSame = isRight({ place: '', formula, excel: byHand!, ours })
    return isSame ? [] : [`${formula}: ${JSON.stringify(ours)} for ${JSON.stringify(byHand)}`]
  })
  expect(others).toEqual([])
})
