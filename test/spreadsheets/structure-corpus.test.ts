import { writeFileSync } from 'node:fs'
import type { CellValue } from '@filewright/documents'
import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import {
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../packages/documents/src/corpus.contract.ts'
import { Book } from '../../packages/documents/src/formats/xlsx/book/book.ts'
import { openWorkbook } from '../../packages/documents/src/formats/xlsx/book/workbook-part.ts'
import {
  cellKey,
  cellName,
  parseBox,
  placeOf,
  WHOLE_SHEET,
} from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { findStale } from '../../packages/documents/src/formats/xlsx/formula/dependants.ts'
import { findReferences } from '../../packages/documents/src/formats/xlsx/formula/references.ts'
import {
  type RecomputedCell,
  same,
} from '../../packages/documents/src/formats/xlsx/recompute/accept-recompute.ts'
import { Recomputed } from '../../packages/documents/src/formats/xlsx/recompute/recompute.ts'
import { newSheetFaults } from '../../packages/documents/src/formats/xlsx/testing/sheet-rules.contract.ts'
import { structureFaults } from '../../packages/documents/src/formats/xlsx/testing/structure.contract.ts'
import { logged, NAME } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { OpcPackage } from '../../packages/documents/src/opc/index.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'
import { recalculate, valuesOf } from '../formulas/libreoffice.contract.ts'

const LARGEST = IS_FULL ? 400_000 : 30_000 // bytes
const MOST_SHEETS = 6 // of one workbook
const MOST_ISLANDS = 3 // of one sheet, its first ones: some have hundreds
const all = corpusFiles(
  ({ file, size, expect: expected }) =>
    /\.xls[xm]$/i.test(file) && size < LARGEST && expected === undefined,
)
const files = IS_FULL ? all : sampleOf(all, 5)
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/** Why rows cannot be inserted, appended or deleted there; anything else is a fault of ours. */
const DEFINED =
  /one formula|pivot table|the table |beyond the last|programs disagree|not well-formed|one and the same part|holds no part|fills|merged|filter|nothing to append|no data|several|more than one|header|array/i

const evaluator = createEvaluator()
const tally = { states: 0, refused: 0, values: 0, compared: 0, lost: 0 }

interface State {
  readonly what: string
  readonly bytes: Uint8Array
  readonly cells: readonly RecomputedCell[]
}

describe.skipIf(!hasCorpus)('rows of every sheet', () => {
  test.each(files)(
    '$file: inserted, appended and deleted, they leave a sound workbook with right values',
    file => {
      const bytes = readCorpusFile(file)
      const opened = openWorkbook(bytes)
      if (!opened.ok) return
      const states = statesOf(bytes)
      tally.states += states.length
      if (!IS_FULL || states.length === 0) return
      const [old, ...now] = recalculate([bytes, ...states.map(own => own.bytes)])
      if (!old) return
      const wrong = states.flatMap((state, index) =>
        now[index] ? wrongIn(state, bytes, valuesOf(old), valuesOf(now[index])) : [],
      )
      expect(wrong).toEqual([])
    },
    1_200_000,
  )

  afterAll(() => {
    if (process.env.FILEWRIGHT_REPORT)
      writeFileSync(process.env.FILEWRIGHT_REPORT, JSON.stringify(tally))
  })
})

/** The workbook after each operation on each of its sheets. */
function statesOf(bytes: Uint8Array): State[] {
  const document = unwrap(XlsxDocument.open(bytes, NAME))
  const { sheets } = unwrap(document.map()).fields as { sheets: readonly MappedSheet[] }
  return sheets
    .filter(({ kind, islands }) => kind === 'worksheet' && islands.length > 0)
    .slice(0, MOST_SHEETS)
    .flatMap(sheet => [
      ...insertedAndDeleted(bytes, sheet),
      ...sheet.tables.flatMap(own => appended(bytes, sheet, { table: own.name }, own.ref)),
      ...sheet.islands
        .slice(0, MOST_ISLANDS)
        .flatMap(own => appended(bytes, sheet, { range: own.range }, own.range)),
    ])
}

interface MappedSheet {
  readonly name: string
  readonly kind: string
  readonly islands: readonly { readonly range: string }[]
  readonly tables: readonly { readonly name: string; readonly ref: string }[]
}

function insertedAndDeleted(bytes: Uint8Array, { name, islands }: MappedSheet): State[] {
  const island = parseBox(islands[0]!.range)!
  const at = Math.ceil((island.top + island.bottom) / 2)
  const run = new Run(bytes, `${name} row ${at}`)
  const inserted = run.apply({ op: 'insert_rows', sheet: name, at })
  const back = inserted && run.apply({ op: 'delete_rows', sheet: name, rows: String(at) })
  const deleted = new Run(bytes, `${name} row ${at}`).delete(name, at)
  return [inserted, back, deleted].flatMap(own => own ?? [])
}

function appended(
  bytes: Uint8Array,
  { name }: MappedSheet,
  where: { readonly table?: string; readonly range?: string },
  range: string,
): State[] {
  const box = parseBox(range)!
  const values = [1, 2].map(row =>
    Array.from({ length: box.right - box.left + 1 }, (_, column) => 10 * row + column),
  )
  const run = new Run(bytes, `${name} ${range}`)
  const state = run.apply({ op: 'append_rows', sheet: name, ...where, values })
  return state ? [state] : []
}

/** Operations on a workbook, each followed by the lint. */
class Run {
  readonly #bytes: Uint8Array
  readonly #where: string
  readonly #document: XlsxDocument
  readonly #faults: ReadonlySet<string>

  constructor(bytes: Uint8Array, where: string) {
    this.#bytes = bytes
    this.#where = where
    this.#document = unwrap(XlsxDocument.open(bytes, NAME, evaluator))
    this.#faults = new Set(structureFaults(bytes))
  }

  apply(operation: Operation): State | undefined {
    const what = `${operation.op} ${this.#where}`
    const applied = this.#document.apply(logged([operation], what), ALLOWED)
    if (!applied.ok) {
      tally.refused++
      expect(applied.failure.message, what).toMatch(DEFINED)
      return undefined
    }
    const bytes = toBytes(unwrap(this.#document.content()), this.#bytes)
    expect(newSheetFaults(this.#bytes, bytes), what).toEqual([])
    expect(
      structureFaults(bytes).filter(fault => !this.#faults.has(fault)),
      what,
    ).toEqual([])
    expect(partsOf(bytes), what).toEqual(partsOf(this.#bytes))
    const { results } = this.#document.book.values
    return { what, bytes, cells: results instanceof Recomputed ? results.cells : [] }
  }

  /** A row of the file: exactly the formulas that name nothing but cells in it read `#REF!`, and all of them are told. */
  delete(sheet: string, row: number): State | undefined {
    const expected = losers(this.#bytes, sheet, row)
    const operation = { op: 'delete_rows', sheet, rows: String(row) }
    const applied = this.#document.apply(logged([operation], 'tc_1'), ALLOWED)
    if (!applied.ok) {
      expect(applied.failure.message).toMatch(DEFINED)
      return undefined
    }
    const bytes = toBytes(unwrap(this.#document.content()), this.#bytes)
    const found = refErrors(bytes)
    const before = refErrors(this.#bytes, { name: sheet, row })
    expect(found - before, `${this.#where} deleted: #REF!`).toBe(expected)
    tally.lost += expected
    const told = applied.value.warnings.some(own => own.includes('now read #REF!'))
    if (expected > 0) expect(told, `${this.#where} deleted`).toBe(true)
    expect(newSheetFaults(this.#bytes, bytes), this.#where).toEqual([])
    const { results } = this.#document.book.values
    const cells = results instanceof Recomputed ? results.cells : []
    return { what: `delete_rows ${this.#where}`, bytes, cells }
  }
}

/** Drawings, tables and the rest: the same parts. The chain of calculation may go, and results may need a part for texts. */
function partsOf(bytes: Uint8Array): string[] {
  const names = unwrap(OpcPackage.open(bytes)).names
  return names.filter(name => !/calcChain|sharedStrings|metadata/i.test(name)).sort()
}

function bookOf(bytes: Uint8Array): Book {
  return new Book(unwrap(openWorkbook(bytes)), { findStale })
}

function* formulasOf(bytes: Uint8Array) {
  const book = bookOf(bytes)
  for (const sheet of book.sheets) {
    if (sheet.kind !== 'worksheet' || !sheet.isInFile) continue
    const cells = book.values.in(sheet, WHOLE_SHEET)
    for (const cell of cells.ok ? cells.value.values() : [])
      if (cell.formula && cell.formula.kind !== 'dataTable') yield { sheet, cell }
  }
}

/** How many formulas name a cell of the row and nothing around it, by plain arithmetic on what another parser reads. */
function losers(bytes: Uint8Array, name: string, row: number): number {
  let count = 0
  for (const { sheet, cell } of formulasOf(bytes)) {
    if (sheet.name === name && cell.row === row) continue
    const isLost = findReferences(cell.formula!.text).areas.some(
      ({ sheets: [own = sheet.name, last] = [], top, bottom }) =>
        last === undefined &&
        own.toLowerCase() === name.toLowerCase() &&
        top === row &&
        bottom === row,
    )
    if (isLost && !cell.formula!.text.includes('#REF!')) count++
  }
  return count
}

/** Without those of a row that is deleted itself. */
function refErrors(bytes: Uint8Array, gone?: { name: string; row: number }): number {
  let count = 0
  for (const { sheet, cell } of formulasOf(bytes)) {
    const isGone = gone?.name === sheet.name && gone.row === cell.row
    if (!isGone && cell.formula!.text.includes('#REF!')) count++
  }
  return count
}

type Values = Map<string, Map<number, CellValue>>

/** Values that were written and are not LibreOffice's, where LibreOffice agreed with the file before. */
function wrongIn({ what, cells }: State, bytes: Uint8Array, old: Values, now: Values): string[] {
  const stored = valuesOf(bytes)
  return cells.flatMap(({ sheet, row, column, value, cached, reason, formula }) => {
    if (!value || reason !== undefined) return []
    tally.values++
    // a cell is at most two rows further down than it was, or one further up
    const wasRight = [0, -1, -2, 1].some(by => {
      const key = cellKey(Math.max(1, row + by), column)
      const mine = stored.get(sheet.name)?.get(key)
      return (
        cached !== undefined &&
        mine !== undefined &&
        same(mine, toValue(cached)) &&
        isClose(mine, old.get(sheet.name)?.get(key))
      )
    })
    if (!wasRight) return []
    tally.compared++
    const theirs = now.get(sheet.name)?.get(cellKey(row, column))
    if (isClose(toValue(value), theirs)) return []
    const place = placeOf(sheet.name, cellName(row, column))
    return [
      `${what}: ${place} =${formula.text.slice(0, 120)} ours ${JSON.stringify(value.value)} theirs ${JSON.stringify(theirs)}`,
    ]
  })
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
