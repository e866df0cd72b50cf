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
const EDITS_OF_A_FILE = 60
const FILES_AT_ONCE = 40
const files = corpusFiles(
  ({ file, size, expect: expected }) =>
    /\.xls[xm]$/i.test(file) && size < LARGEST && (expected === undefined || expected === 'ok'),
)

/** What is done to an input: a little more, nothing, no value, another kind of value, the other branch. */
const KINDS: readonly ((value: number) => unknown)[] = [
  value => value * 1.1,
  () => 0,
  () => null,
  () => 'text',
  value => (value === 0 ? 1000 : -value * 10),
]

interface Edit {
  readonly file: string
  readonly cell: string
  readonly value: unknown
  readonly after: Uint8Array
  readonly cells: Recomputed['cells']
  readonly isWhole: boolean
}

describe.skipIf(!IS_FULL || !hasCorpus)('inputs of real workbooks changed', () => {
  test('no value that is written is wrong, as far as LibreOffice can tell', () => {
    const tally = { edits: 0, whole: 0, values: 0, compared: 0, lacking: new Map<string, number>() }
    const wrong: string[] = []
    for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
      const batch = files
        .slice(from, from + FILES_AT_ONCE)
        .map(file => ({ file: file.file, bytes: readCorpusFile(file) }))
      const edited = batch.flatMap(({ file, bytes }) => editsOf(file, bytes))
      const used = batch.filter(({ file }) => edited.some(own => own.file === file))
      const recalculated = recalculate([
        ...used.map(({ bytes }) => bytes),
        ...edited.map(({ after }) => after),
      ])
      const before = new Map(
        used.map(({ file }, index) => [file, recalculated[index] && valuesOf(recalculated[index])]),
      )
      for (const [index, edit] of edited.entries()) {
        const now = recalculated[used.length + index]
        tally.edits++
        if (edit.isWhole) tally.whole++
        for (const { reason } of edit.cells)
          if (reason !== undefined) tally.lacking.set(reason, (tally.lacking.get(reason) ?? 0) + 1)
        const old = before.get(edit.file)
        if (!now || !old) continue
        compare(edit, old, valuesOf(now), tally, wrong)
      }
    }
    const { lacking, ...counts } = tally
    const reasons = [...lacking].sort((a, b) => b[1] - a[1]).slice(0, 25)
    const report = { ...counts, wrong: wrong.length, reasons }
    console.log(JSON.stringify(report, null, 1), wrong.slice(0, 60).join('\n'))
    if (process.env.FILEWRIGHT_REPORT)
      writeFileSync(process.env.FILEWRIGHT_REPORT, JSON.stringify({ ...report, wrong }, null, 1))
    expect(wrong).toEqual([])
    expect(tally.edits).toBeGreaterThanOrEqual(500)
  }, 3_600_000)
})

type Values = Map<string, Map<number, CellValue>>

function compare(
  edit: Edit,
  old: Values,
  now: Values,
  tally: { values: number; compared: number },
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
    if (isClose(toValue(value), theirs)) continue
    wrong.push(
      `${edit.file} ${edit.cell}=${JSON.stringify(edit.value)}: ${placeOf(sheet.name, cellName(row, column))} =${formula.text.slice(0, 160)} ours ${JSON.stringify(value.value)}${isSame ? ' (kept)' : ''} theirs ${JSON.stringify(theirs)}`,
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

function editsOf(file: string, bytes: Uint8Array): Edit[] {
  return inputsOf(bytes).flatMap(({ sheet, cell, value }, index) => {
    const given = KINDS[(index + file.length) % KINDS.length]!(value)
    const operation = { op: 'set_cells', sheet, cells: [{ cell, value: given }] } as Operation
    const opened = XlsxDocument.open(bytes, NAME, evaluator)
    if (!opened.ok) return []
    const document = opened.value
    const applied = document.apply(logged([operation]), {
      allowProtected: true,
      allowBreakSignature: true,
    })
    if (!applied.ok) return []
    const results = document.book.results
    const content = document.content()
    if (!(results instanceof Recomputed) || results.cells.length === 0 || !content.ok) return []
    const after = toBytes(content.value, bytes)
    const isWhole = results.cells.every(({ value: own }) => own !== undefined)
    return [
      { file, cell: placeOf(sheet, cell), value: given, after, cells: results.cells, isWhole },
    ]
  })
}

/** Numbers that formulas read, from all over the workbook. */
function inputsOf(bytes: Uint8Array): { sheet: string; cell: string; value: number }[] {
  const part = openWorkbook(bytes)
  if (!part.ok) return []
  const book = new Book(part.value, findStale)
  const graph = graphOf(book)
  const read = new Map<number, Set<number>>()
  const note = (sheet: number, key: number) =>
    read.set(sheet, (read.get(sheet) ?? new Set()).add(key))
  for (const [index, key] of graph.cellKeys.entries()) note(graph.cellSheets[index]!, key)
  for (const { sheet, top, left, bottom, right } of graph.ranges)
    for (let row = top; row <= Math.min(bottom, top + 40); row += 7)
      for (let column = left; column <= Math.min(right, left + 5); column++)
        note(sheet, cellKey(row, column))
  const found: { sheet: string; cell: string; value: number }[] = []
  for (const sheet of book.sheets) {
    const keys = read.get(sheet.id)
    const cells = keys && book.cellsIn(sheet, { top: 1, left: 1, bottom: 5000, right: 200 })
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
  const step = Math.max(1, found.length / EDITS_OF_A_FILE)
  return Array.from(
    { length: Math.min(EDITS_OF_A_FILE, found.length) },
    (_, index) => found[Math.floor(index * step)]!,
  )
}
