import { writeFileSync } from 'node:fs'
import type { CellValue } from '@filewright/documents'
import { type Operation, toBytes } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
} from '../../packages/documents/src/corpus.contract.ts'
import { Book } from '../../packages/documents/src/formats/xlsx/book/book.ts'
import { openWorkbook } from '../../packages/documents/src/formats/xlsx/book/workbook-part.ts'
import {
  cellKey,
  cellName,
  columnOfKey,
  placeOf,
  rowOfKey,
} from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { findStale } from '../../packages/documents/src/formats/xlsx/formula/dependants.ts'
import { graphOf } from '../../packages/documents/src/formats/xlsx/formula/formula-graph.ts'
import { Recomputed } from '../../packages/documents/src/formats/xlsx/recompute/recompute.ts'
import { logged, NAME } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'
import { recalculate, valuesOf } from './libreoffice.contract.ts'

const LARGEST = 400_000 // bytes: a larger file costs LibreOffice more than it shows
const INPUTS_OF_A_KIND = 12
const files = corpusFiles(
  ({ file, size, expect: expected }) =>
    /\.xls[xm]$/i.test(file) && size < LARGEST && expected === undefined,
)

/** What is done to an input: a little more, nothing, no value, another kind of value, the other branch. */
const KINDS: readonly ((value: number) => unknown)[] = [
  value => value * 1.1,
  () => 0,
  () => null,
  () => 'text',
  value => (value === 0 ? 1000 : -value * 10),
]

/** Disagreements settled by hand. */
const SETTLED: Readonly<Record<string, string>> = {
  // The sine of a multiple of 180 degrees: zero, up to how the angle is rounded.
  'xlsx/012-47813.xlsx Numbers!B398': 'both are zero within the digits of the angle',
  // Excel leaves out a pair of which one cell is empty; LibreOffice takes the empty cell for zero.
  'xlsx/060-formula_stress_test.xlsx Math!B67': 'SUMXMY2 leaves out pairs with an empty cell',
}

interface Input {
  readonly sheet: string
  readonly cell: string
  readonly value: number
}

/** Inputs of one workbook, changed in the same way. */
interface Edited {
  readonly file: string
  readonly count: number
  /** How many of the edits leave no formula without a result, each made alone. */
  readonly whole: number
  /** Why the others do: the first reason of each. */
  readonly lost: readonly string[]
  readonly kind: number
  readonly after: Uint8Array
  readonly cells: Recomputed['cells']
}

describe.skipIf(!IS_FULL || !hasCorpus)('inputs of real workbooks changed', () => {
  test('no value that is written is wrong, as far as LibreOffice can tell', () => {
    const tally = { files: 0, edits: 0, whole: 0, values: 0, compared: 0, settled: 0 }
    const wrong: string[] = []
    const lost: Record<string, number> = {}
    for (const file of files) {
      const bytes = readCorpusFile(file)
      const edited = editsOf(file.file, bytes)
      if (edited.length === 0) continue
      const [before, ...now] = recalculate([bytes, ...edited.map(({ after }) => after)])
      if (!before) continue
      const old = valuesOf(before)
      tally.files++
      for (const [index, edit] of edited.entries()) {
        const theirs = now[index]
        if (!theirs) continue
        tally.edits += edit.count
        tally.whole += edit.whole
        for (const reason of edit.lost) lost[reason] = (lost[reason] ?? 0) + 1
        compare(edit, old, valuesOf(theirs), tally, wrong)
      }
    }
    if (process.env.FILEWRIGHT_REPORT)
      writeFileSync(
        process.env.FILEWRIGHT_REPORT,
        JSON.stringify({ ...tally, wrong, lost }, null, 1),
      )
    expect(wrong).toEqual([])
    expect(tally.edits).toBeGreaterThanOrEqual(500)
  }, 3_600_000)
})

type Values = Map<string, Map<number, CellValue>>

function compare(
  edit: Edited,
  old: Values,
  now: Values,
  tally: { values: number; compared: number; settled: number },
  wrong: string[],
): void {
  for (const { sheet, row, column, value, cached, isSame, formula, reason } of edit.cells) {
    if (!value || reason !== undefined) continue
    tally.values++
    const key = cellKey(row, column)
    const before = old.get(sheet.name)?.get(key)
    if (!cached || !isClose(toValue(cached), before)) continue
    tally.compared++
    const theirs = now.get(sheet.name)?.get(key)
    const place = placeOf(sheet.name, cellName(row, column))
    if (isClose(toValue(value), theirs)) continue
    if (Object.hasOwn(SETTLED, `${edit.file} ${place}`)) {
      tally.settled++
      continue
    }
    wrong.push(
      `${edit.file} (kind ${edit.kind}): ${place} =${formula.text.slice(0, 160)} ours ${JSON.stringify(value.value)}${isSame ? ' (kept)' : ''} theirs ${JSON.stringify(theirs)}`,
    )
  }
}

function toValue(content: { readonly type: string; readonly value: unknown }): CellValue {
  return content.type === 'error' ? { error: String(content.value) } : (content.value as CellValue)
}

/** LibreOffice saves fifteen digits, truth values as numbers, and some errors under another name. */
function isClose(ours: CellValue, theirs: CellValue | undefined): boolean {
  if (theirs === undefined) return ours === '' || ours === 0
  if (typeof ours === 'boolean') return theirs === ours || theirs === (ours ? 1 : 0)
  if (typeof ours === 'object') return typeof theirs === 'object'
  if (typeof ours === 'number' && typeof theirs === 'number')
    return Math.abs(ours - theirs) <= 1e-9 * Math.max(Math.abs(ours), Math.abs(theirs), 1e-6)
  return ours === theirs
}

const evaluator = createEvaluator()

function editsOf(file: string, bytes: Uint8Array): Edited[] {
  const inputs = inputsOf(bytes)
  return KINDS.flatMap((change, kind) => {
    // each input is changed in two of the ways
    const own = inputs.filter((_, index) => [0, 2].includes((index + kind) % KINDS.length))
    const made = own.length > 0 ? changed(bytes, own, change) : undefined
    if (!made) return []
    // an input that only formulas without a stored result read makes nothing stale
    const alone = own.flatMap(input => changed(bytes, [input], change) ?? [])
    const lost = alone.flatMap(({ cells }) => {
      const first = cells.find(({ value }) => value === undefined)
      return first ? [`${file}: ${first.reason}: ${first.formula.text.slice(0, 80)}`] : []
    })
    const whole = alone.length - lost.length
    return [{ file, kind, count: alone.length, whole, lost, ...made }]
  })
}

function changed(
  bytes: Uint8Array,
  inputs: readonly Input[],
  change: (value: number) => unknown,
): Pick<Edited, 'after' | 'cells'> | undefined {
  const opened = XlsxDocument.open(bytes, NAME, evaluator)
  if (!opened.ok) return undefined
  const operations = inputs.map(({ sheet, cell, value }): Operation => {
    return { op: 'set_cells', sheet, cells: [{ cell, value: change(value) }] }
  })
  const allowed = { allowProtected: true, allowBreakSignature: true }
  const applied = opened.value.apply(logged(operations), allowed)
  const { results } = opened.value.book.values
  const content = applied.ok ? opened.value.content() : applied
  if (!(results instanceof Recomputed) || results.cells.length === 0 || !content.ok)
    return undefined
  return { after: toBytes(content.value, bytes), cells: results.cells }
}

/** Numbers that formulas read, from all over the workbook. */
function inputsOf(bytes: Uint8Array): Input[] {
  const part = openWorkbook(bytes)
  if (!part.ok) return []
  const book = new Book(part.value, { findStale })
  const graph = graphOf(book)
  const read = new Map<number, Set<number>>()
  const note = (sheet: number, key: number) =>
    read.set(sheet, (read.get(sheet) ?? new Set()).add(key))
  for (const [index, key] of graph.cellKeys.entries()) note(graph.cellSheets[index]!, key)
  for (const { sheet, top, left, bottom, right } of graph.ranges)
    for (let row = top; row <= Math.min(bottom, top + 40); row += 7)
      for (let column = left; column <= Math.min(right, left + 5); column++)
        note(sheet, cellKey(row, column))
  const found: Input[] = []
  for (const sheet of book.sheets) {
    const keys = read.get(sheet.id)
    const cells = keys && book.values.in(sheet, { top: 1, left: 1, bottom: 5000, right: 200 })
    if (!cells?.ok) continue
    for (const key of keys!) {
      const cell = cells.value.get(key)
      if (cell?.content.type !== 'number' || cell.formula) continue
      found.push({
        sheet: sheet.name,
        cell: cellName(rowOfKey(key), columnOfKey(key)),
        value: cell.content.value,
      })
    }
  }
  const most = INPUTS_OF_A_KIND * KINDS.length
  const step = Math.max(1, found.length / most)
  const length = Math.min(most, found.length)
  return Array.from({ length }, (_, index) => found[Math.floor(index * step)]!)
}
