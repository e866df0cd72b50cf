import type { CellValue, EvaluationSheet } from '../../../evaluation.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey, columnOfKey, rowOfKey } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { type CellContent, contentOf } from '../cell/cells.ts'
import { type CellSet, CellsAndBoxes, type Coverage, covers, type SheetCoverage } from './areas.ts'

/** The cells that formulas read, before the edits and now. */
export interface Inputs {
  readonly before: readonly EvaluationSheet[]
  readonly now: readonly EvaluationSheet[]
  /** Formulas among them whose result the file lacks. */
  readonly missing: readonly { readonly sheet: number; readonly key: number }[]
  /** Cells whose value an evaluator would take for another: text that reads as an error value. */
  readonly mistakable: CellsAndBoxes
  /** Cells with text that programs may read as a number or a date. */
  readonly ambiguous: CellsAndBoxes
  /** Cells that hold another kind of value than before. */
  readonly otherKind: CellsAndBoxes
  /** There are too many. */
  readonly isCut: boolean
}

const MAX_CELLS = 2_000_000

/** `set`: the formulas to compute, whose old values are no inputs now. */
export function readInputs(book: Book, coverage: Coverage, set: CellSet): Inputs {
  const inputs = {
    missing: [] as Inputs['missing'][number][],
    mistakable: new CellsAndBoxes(),
    ambiguous: new CellsAndBoxes(),
    otherKind: new CellsAndBoxes(),
  }
  const count = Math.max(0, ...book.sheets.map(({ id }) => id + 1))
  const before: EvaluationSheet[] = Array.from({ length: count }, () => EMPTY)
  const now: EvaluationSheet[] = [...before]
  const room = { left: MAX_CELLS }
  for (const sheet of book.sheets) {
    const covered = coverage.on(sheet.id)
    const found = new Collected(covered)
    if (covered) collect(book, sheet, covered, { set, found, inputs, room })
    before[sheet.id] = found.sheet(found.before)
    now[sheet.id] = found.sheet(found.now)
  }
  return { before, now, ...inputs, isCut: room.left <= 0 }
}

const EMPTY: EvaluationSheet = { rows: 1, columns: 1, places: [], values: [] }

interface Values {
  readonly places: number[]
  readonly values: CellValue[]
}

class Collected {
  readonly before: Values = { places: [], values: [] }
  readonly now: Values = { places: [], values: [] }
  readonly #rows: number
  readonly #columns: number

  constructor(covered: SheetCoverage | undefined) {
    this.#rows = covered?.rows.at(-1)?.[1] ?? 1
    this.#columns = covered ? Math.max(1, ...covered.columns.keys()) : 1
  }

  sheet({ places, values }: Values): EvaluationSheet {
    return { rows: this.#rows, columns: this.#columns, places, values }
  }
}

interface Collecting {
  readonly set: CellSet
  readonly found: Collected
  readonly inputs: {
    readonly missing: Inputs['missing'][number][]
    readonly mistakable: CellsAndBoxes
    readonly ambiguous: CellsAndBoxes
    readonly otherKind: CellsAndBoxes
  }
  readonly room: { left: number }
}

function collect(book: Book, sheet: Sheet, covered: SheetCoverage, to: Collecting): void {
  const xml = sheet.xml()
  const strings = book.part.strings()
  if (!xml.ok || !strings.ok) return
  const { set, found, inputs } = to
  const old = new Map<number, CellContent>()
  const cell = new CellScan()
  for (const [from, till] of covered.rows)
    for (let index = xml.value.findRow(from); index < xml.value.rows.count; index++) {
      if (xml.value.rows.numbers[index]! > till || to.room.left <= 0) break
      xml.value.scanRow(index, cell, own => {
        const { row, column } = own
        if (!covers(covered, row, column) || !own.hasContent) return
        to.room.left--
        const key = cellKey(row, column)
        const content = contentOf(own, strings.value, book.part.is1904)
        const isEdited = sheet.cells.has(key)
        if (isEdited) old.set(key, content)
        put(found.before, row, column, content)
        // what an array or a spill fills goes with it
        const isFilled = !set.has(sheet.id, key) && book.values.stale.has(sheet.id, row, column)
        if (isEdited || isFilled || set.has(sheet.id, key)) return
        put(found.now, row, column, content)
        noteText(inputs, content, sheet.id, key)
        if (own.formulaStart >= 0 && !own.isComputed) inputs.missing.push({ sheet: sheet.id, key })
      })
    }
  for (const [key, { content, formula }] of sheet.cells) {
    const [row, column] = [rowOfKey(key), columnOfKey(key)]
    if (formula || !covers(covered, row, column)) continue
    if (content) {
      put(found.now, row, column, content)
      noteText(inputs, content, sheet.id, key)
    }
    if ((old.get(key)?.type ?? 'empty') !== (content?.type ?? 'empty'))
      inputs.otherKind.add(sheet.id, key)
  }
}

function put({ places, values }: Values, row: number, column: number, content: CellContent): void {
  if (content.type === 'empty') return
  places.push(row, column)
  values.push(content.type === 'error' ? { error: content.value } : content.value)
}

/** Notes a value that its readers may take for another. */
export function noteText(
  { mistakable, ambiguous }: Pick<Inputs, 'mistakable' | 'ambiguous'>,
  content: CellContent,
  sheet: number,
  key: number,
): void {
  if (isMistakable(content)) mistakable.add(sheet, key)
  if (isAmbiguous(content)) ambiguous.add(sheet, key)
}

/** Whoever reads it cannot be computed. */
function isMistakable({ type, value }: CellContent): boolean {
  return type === 'text' && /^#[A-Z/0]+[!?]?$/.test(value)
}

const MONTH = /(^|[^a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/** Not a plain number, and yet Excel may compute with it: `5%`, `1,000`, `2026-01-31`, `3 Mar`, `8:30`, `$4`, `1/2`. */
function isAmbiguous({ type, value }: CellContent): boolean {
  if (type !== 'text' || !/\d/.test(value) || value.length > 40) return false
  if (/^\s*[-+]?\d+(\.\d+)?\s*$/.test(value)) return false
  return /^[\s\d.,:/%()+\-eE\p{Sc}]+(am|pm)?\s*$/iu.test(value) || MONTH.test(value)
}
