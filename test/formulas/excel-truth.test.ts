import type { Evaluator } from '@filewright/documents'
import { expect, test } from 'vitest'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'
import {
  hasTruth,
  isRight,
  type Judged,
  judgedAsNew,
  judgedInPlace,
  readTruth,
  truthFiles,
} from './excel-truth.contract.ts'

const evaluator = createEvaluator({ timeMs: 300_000 })

/** What may not fall: formulas of all workbooks that have the result that Excel stored. */
const LEAST_RIGHT = { inPlace: 55_600, asNew: 55_600 }

test.skipIf(!hasTruth)(
  'results withheld from workbooks of Excel come back as they were, or not at all',
  () => {
    expectTruth('in place', judgedInPlace, LEAST_RIGHT.inPlace)
  },
)

test.skipIf(!hasTruth)(
  'formulas of workbooks of Excel typed anew have its results, or none',
  () => {
    expectTruth('as new', judgedAsNew, LEAST_RIGHT.asNew)
  },
)

function expectTruth(
  way: string,
  judge: (bytes: Uint8Array, evaluator: Evaluator) => Judged[],
  least: number,
): void {
  const counts = { right: 0, left: 0 }
  const wrong: string[] = []
  for (const file of truthFiles())
    for (const own of judge(readTruth(file), evaluator)) {
      if (own.ours === undefined) counts.left++
      else if (isRight(own)) counts.right++
      else
        wrong.push(
          `${file} ${own.place} =${own.formula}: ${JSON.stringify(own.ours)} for ${JSON.stringify(own.excel)}`,
        )
    }
  console.info(
    `Excel's results ${way}: ${counts.right} right, ${wrong.length} wrong, ${counts.left} left out`,
  )
  expect(wrong).toEqual([])
  expect(counts.right).toBeGreaterThanOrEqual(least)
}
