import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createEvaluator } from './evaluator.ts'

const sheet = {
  rows: 100,
  columns: 20,
  places: [1, 1, 2, 1, 3, 1, 5, 1, 1, 2, 2, 2, 3, 2, 2, 3],
  values: [1, 2, 'x', 5, 'a', 'b', 'A', ''],
}

function evaluated(texts: readonly string[]) {
  const evaluator = createEvaluator()
  return evaluator({
    sheets: [sheet, { rows: 5, columns: 5, places: [1, 1], values: [true] }],
    texts: texts.map(text => ({ text, row: 1, column: 6 })),
    cells: texts.flatMap((_, index) => [0, index + 1, 6, index]),
  })
}

test('formulas are computed from the cells given, each result seen by the next', () => {
  const texts = ['SUM($A$1:$A$5)', '$F$1*2', 'IF($A$1>1,"x",$A$1/0)', 'S1!$A$1', '$C$9', 'NOPE(1)']
  expect(evaluated(texts)).toEqual({
    values: [8, 16, { error: '#DIV/0!' }, true, 0, { error: '#NAME?' }],
  })
})

test('a formula that takes too long has no value, and the others have theirs', () => {
  const evaluator = createEvaluator({ cellMs: 1_500, timeMs: 60_000 })
  const texts = ['$A$1+1', 'BINOM.INV(100000,0.7,0.8)', '$A$1+2']
  const found = evaluator({
    sheets: [sheet],
    texts: texts.map(text => ({ text, row: 1, column: 6 })),
    cells: texts.flatMap((_, index) => [0, index + 1, 6, index]),
  })
  expect(found).toEqual({ values: [2, null, 3], late: [1] })
})

test('thousands of running totals are computed', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => at + 1)
  const found = createEvaluator()({
    sheets: [{ rows: 5_000, columns: 2, places: rows.flatMap(row => [row, 1]), values: rows }],
    texts: [{ text: 'SUM(A$1:A1)', row: 1, column: 2 }],
    cells: rows.flatMap(row => [0, row, 2, 0]),
  })
  expect(found).toEqual({ values: rows.map(row => (row * (row + 1)) / 2) })
})

/** It answers late, and after a notice that comes before its answer. */
const LATE = `const { workerData } = require('node:worker_threads')
const { port, signal } = workerData
const beat = setInterval(() => Atomics.notify(signal, 0), 5)
port.on('message', () => setTimeout(() => {
  port.postMessage({ values: [1] })
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
  clearInterval(beat)
}, 200))`

test('a late notice of the answer before is no answer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'late.cjs')
  writeFileSync(file, LATE)
  const evaluator = createEvaluator({ file })
  expect(evaluator({ sheets: [], texts: [], cells: [] })).toEqual({ values: [1] })
})
