import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CellValue, Evaluator } from '@filewright/documents'
import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { CORPUS } from '../../packages/documents/src/corpus.contract.ts'
import type { Book } from '../../packages/documents/src/formats/xlsx/book/book.ts'
import {
  cellKey,
  cellName,
  placeOf,
  WHOLE_SHEET,
} from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import type { CellContent } from '../../packages/documents/src/formats/xlsx/cell/cells.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import type { Call } from '../../packages/documents/src/formats/xlsx/recompute/calls.ts'
import { planRecompute } from '../../packages/documents/src/formats/xlsx/recompute/plan-recompute.ts'
import { Recomputed } from '../../packages/documents/src/formats/xlsx/recompute/recompute.ts'
import { logged, NAME } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'

const TRUTH = join(CORPUS, 'excel-truth')
export const hasTruth = existsSync(TRUTH)

/** Workbooks that Excel wrote, whose stored results are its own. */
export function truthFiles(): string[] {
  return readdirSync(TRUTH).filter(name => name.endsWith('.xlsx'))
}

export function readTruth(file: string): Uint8Array {
  return readFileSync(join(TRUTH, file))
}

/** A formula with the result that Excel stored, and what comes of it here. */
export interface Judged {
  readonly place: string
  readonly formula: string
  readonly excel: CellValue
  readonly ours?: CellValue
  /** Why it has no result here. */
  readonly reason?: string
}

interface Stored {
  readonly sheet: string
  readonly id: number
  readonly cell: string
  readonly key: number
  readonly text: string
  /** Typed into one cell: no array, spill or data table. */
  readonly isPlain: boolean
  readonly excel: CellValue
}

const CHANGING = /\b(NOW|TODAY|RAND|RANDBETWEEN|RANDARRAY)\(/i

/** Its formulas with the stored results withheld, computed as after an edit. */
export function judgedInPlace(bytes: Uint8Array, evaluator: Evaluator): Judged[] {
  const stored = storedIn(bytes)
  return judged(stored, withheld(bytes, stored, evaluator).values.results)
}

function withheld(bytes: Uint8Array, stored: readonly Stored[], evaluator?: Evaluator): Book {
  const { book } = unwrap(XlsxDocument.open(bytes, NAME, evaluator))
  const unsettled = new Map<number, Set<number>>()
  for (const { id, key } of stored) unsettled.set(id, (unsettled.get(id) ?? new Set()).add(key))
  book.change({ unsettled })
  return book
}

/** A formula computed alone, from the results that Excel stored. */
export interface Alone {
  readonly calls: readonly Call[]
  readonly isRight: boolean
  /** `NAME place kind` of what its functions were given. */
  readonly kinds: readonly string[]
}

export function judgedAlone(bytes: Uint8Array, evaluator: Evaluator): Alone[] {
  const stored = storedIn(bytes)
  const plan = planRecompute(withheld(bytes, stored))
  if (!plan) return []
  // each before those that it reads, which therefore still have Excel's results
  const order = plan.order.map((_, at) => plan.order.length - 1 - at)
  const cells = order.flatMap(at => plan.now.cells.slice(4 * at, 4 * at + 4))
  const { sheets } = plan.before
  const found = evaluator({ ...plan.now, sheets, cells, watched: ['*'] })
  if ('problem' in found) throw new Error(`Nothing was computed: ${found.problem}`)
  const known = new Map(stored.map(own => [`${own.id} ${own.key}`, own]))
  return order.flatMap((at, position) => {
    const { sheet, row, column, plain } = plan.cells[plan.order[at]!]!
    const own = known.get(`${sheet.id} ${cellKey(row, column)}`)
    const ours = found.values[position]
    if (!own || ours === null || ours === undefined) return []
    const one = { place: placeOf(own.sheet, own.cell), formula: own.text, excel: own.excel, ours }
    return [
      { ...one, calls: plain!.calls, isRight: isRight(one), kinds: found.kinds?.[position] ?? [] },
    ]
  })
}

/** Its plain formulas taken out and written back, as if somebody had typed them. */
export function judgedAsNew(bytes: Uint8Array, evaluator: Evaluator): Judged[] {
  const document = unwrap(XlsxDocument.open(bytes, NAME, evaluator))
  const plain = storedIn(bytes).filter(({ isPlain }) => isPlain)
  set(document, plain, () => null)
  return judged(
    set(document, plain, ({ text }) => ({ formula: text })),
    document.book.values.results,
  )
}

/** All at once; where one is refused, the others without it. Returns those that were taken. */
function set(
  document: XlsxDocument,
  cells: readonly Stored[],
  inputFor: (own: Stored) => unknown,
): readonly Stored[] {
  if (cells.length === 0) return []
  const sheets = new Set(cells.map(({ sheet }) => sheet))
  const operations = [...sheets].map((sheet): Operation => {
    const own = cells.filter(one => one.sheet === sheet)
    const values = own.map(one => ({ cell: one.cell, value: inputFor(one) }))
    return { op: 'set_cells', sheet, cells: values }
  })
  if (document.apply(logged(operations), { allowProtected: true }).ok) return cells
  if (cells.length === 1) return []
  const middle = cells.length >> 1
  return [cells.slice(0, middle), cells.slice(middle)].flatMap(half =>
    set(document, half, inputFor),
  )
}

function judged(stored: readonly Stored[], results: unknown): Judged[] {
  if (!(results instanceof Recomputed)) return []
  const found = new Map(
    results.cells.map(own => [`${own.sheet.id} ${cellKey(own.row, own.column)}`, own]),
  )
  return stored.map(({ id, key, sheet, cell, text, excel }) => {
    const own = found.get(`${id} ${key}`)
    const ours = own?.value && toValue(own.value)
    return {
      place: placeOf(sheet, cell),
      formula: text,
      excel,
      ...(ours !== undefined && own?.reason === undefined
        ? { ours }
        : { reason: own?.reason ?? 'nothing asked for it' }),
    }
  })
}

function storedIn(bytes: Uint8Array): Stored[] {
  const { book } = unwrap(XlsxDocument.open(bytes, NAME))
  const found: Stored[] = []
  for (const sheet of book.sheets) {
    if (sheet.kind !== 'worksheet') continue
    const cells = book.cellsIn(sheet, WHOLE_SHEET)
    if (!cells.ok) continue
    for (const { row, column, stored, formula } of cells.value.values()) {
      if (!formula || formula.text === '' || CHANGING.test(formula.text)) continue
      if (!stored || stored.type === 'empty') continue
      found.push({
        sheet: sheet.name,
        id: sheet.id,
        cell: cellName(row, column),
        key: cellKey(row, column),
        text: formula.text,
        isPlain: formula.kind !== 'array' && formula.kind !== 'dataTable',
        excel: toValue(stored)!,
      })
    }
  }
  return found
}

function toValue(content: CellContent): CellValue | undefined {
  if (content.type === 'empty') return undefined
  return content.type === 'error' ? { error: content.value } : content.value
}

const TOLERANCE = 1e-9
/** Excel stops looking for these rates once it is as near as that, so its last digits are not those of the rate. */
const OF_RATES = 1e-7

export function isRight({ ours, excel, formula }: Judged): boolean {
  const tolerance = /\bX?IRR\(/.test(formula) ? OF_RATES : TOLERANCE
  if (typeof ours === 'number' && typeof excel === 'number')
    return Math.abs(ours - excel) <= tolerance * Math.max(1, Math.abs(ours), Math.abs(excel))
  if (typeof ours === 'object' && typeof excel === 'object') return ours.error === excel.error
  return ours === excel
}
