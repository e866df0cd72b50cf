import type { Box } from '@filewright/protocol'
import { type CellAddress, contains, covers, MAX_COLUMN, MAX_ROW } from '../cell/address.ts'
import { inverseRuns, type LineRuns, lineIn, linesIn } from './line-runs.ts'
import { type LineShift, lastLine, mapBox, mapLine } from './line-shift.ts'

export interface SheetCell extends CellAddress {
  readonly sheet: SheetKey
}

export interface SheetBox {
  readonly sheet: SheetKey
  readonly box: Box
}

/** Nothing has its place. */
export const GONE = Symbol('gone')
/** Nothing proves where it is. */
export const UNKNOWN = Symbol('unknown')
type Lost = typeof GONE | typeof UNKNOWN
export type Whereabouts<Place> = Place | Lost

export function isLost(found: unknown): found is Lost {
  return found === GONE || found === UNKNOWN
}

/** A sheet by its name, whose case does not count, or by its number in a book. */
export type SheetKey = string | number

/** Rows or columns inserted or deleted, or such a step taken back. */
interface LinesStep {
  readonly kind: 'lines'
  readonly sheet: SheetKey
  readonly lines: LineShift
  /** The lines are those of a step before, so not every box tells whether they were in it. */
  readonly isUndone?: boolean
}

/** Cells cut and pasted: references to them follow. */
interface BlockStep {
  readonly kind: 'block'
  readonly sheet: SheetKey
  readonly from: Box
  readonly to: CellAddress
}

/** The rows of a box in another order: references stay. */
interface OrderStep {
  readonly kind: 'order'
  readonly sheet: SheetKey
  readonly box: Box
  readonly rows: LineRuns
}

/** The places of one file in another, as far as they are proven. */
interface FoundStep {
  readonly kind: 'found'
  readonly pairs: readonly FoundSheet[]
}

export interface FoundSheet extends KeyPair<SheetKey> {
  readonly from: SheetKey
  readonly to: SheetKey
  readonly rows: LineRuns
  readonly columns: LineRuns
}

/** Sheets under other keys; undefined: it is gone, or was not there. Others keep theirs. */
interface SheetsStep {
  readonly kind: 'sheets'
  readonly pairs: readonly KeyPair<SheetKey>[]
}

/** Names with other spellings, gone or new. */
interface NamesStep {
  readonly kind: 'names'
  readonly pairs: readonly KeyPair<string>[]
}

export interface KeyPair<Key> {
  readonly from: Key | undefined
  readonly to: Key | undefined
}

/** One change of the places of a workbook, as data. */
export type PlaceStep = CellStep | FoundStep | SheetsStep | NamesStep

/** One that moves cells of a sheet. */
export type CellStep = LinesStep | BlockStep | OrderStep

function isSameKey(a: SheetKey | undefined, b: SheetKey | undefined): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a === b
  return a === b || a.toLowerCase() === b.toLowerCase()
}

function pairOf<Pair extends KeyPair<SheetKey>>(pairs: readonly Pair[], key: SheetKey) {
  return pairs.find(({ from }) => isSameKey(from, key))
}

export function sheetInStep(step: PlaceStep, sheet: SheetKey): Whereabouts<SheetKey> {
  if (step.kind === 'found') return pairOf(step.pairs, sheet)?.to ?? UNKNOWN
  if (step.kind !== 'sheets') return sheet
  const pair = pairOf(step.pairs, sheet)
  return pair ? (pair.to ?? GONE) : sheet
}

export function nameInStep(step: PlaceStep, name: string): Whereabouts<string> {
  const pair = step.kind === 'names' ? step.pairs.find(own => isSameKey(own.from, name)) : undefined
  return pair ? (pair.to ?? GONE) : name
}

export function cellInStep(step: PlaceStep, place: SheetCell): Whereabouts<SheetCell> {
  if (step.kind === 'sheets' || step.kind === 'found') {
    const sheet = sheetInStep(step, place.sheet)
    if (isLost(sheet)) return sheet
    const at = step.kind === 'found' ? cellIn(pairOf(step.pairs, place.sheet)!, place) : place
    return at === UNKNOWN ? at : { sheet, row: at.row, column: at.column }
  }
  if (step.kind === 'names' || !isSameKey(step.sheet, place.sheet)) return place
  switch (step.kind) {
    case 'lines':
      return cellInLines(step.lines, place)
    case 'block': {
      const { from, to } = step
      if (!contains(from, place.row, place.column))
        return contains(targetOf(step), place.row, place.column) ? GONE : place
      const [row, column] = [place.row - from.top + to.row, place.column - from.left + to.column]
      return { ...place, row, column }
    }
    case 'order': {
      const isIn = contains(step.box, place.row, place.column)
      const row = isIn ? lineIn(step.rows, place.row) : undefined
      return row === undefined ? place : { ...place, row }
    }
  }
}

function cellIn({ rows, columns }: FoundSheet, at: CellAddress): CellAddress | typeof UNKNOWN {
  const [row, column] = [lineIn(rows, at.row), lineIn(columns, at.column)]
  return row === undefined || column === undefined ? UNKNOWN : { row, column }
}

function cellInLines(lines: LineShift, place: SheetCell): Whereabouts<SheetCell> {
  const isRow = lines.axis === 'row'
  const other = isRow ? place.column : place.row
  if (lines.band && (other < lines.band[0] || other > lines.band[1])) return place
  const to = mapLine(lines, isRow ? place.row : place.column)
  if (to === undefined) return GONE
  return isRow ? { ...place, row: to } : { ...place, column: to }
}

function targetOf({ from, to }: BlockStep): Box {
  return {
    top: to.row,
    left: to.column,
    bottom: to.row + from.bottom - from.top,
    right: to.column + from.right - from.left,
  }
}

/** What a reference to the box names afterwards. */
export function boxInStep(step: PlaceStep, place: SheetBox): Whereabouts<SheetBox> {
  if (step.kind === 'sheets' || step.kind === 'found') {
    const sheet = sheetInStep(step, place.sheet)
    if (isLost(sheet)) return sheet
    const box =
      step.kind === 'found' ? boxIn(pairOf(step.pairs, place.sheet)!, place.box) : place.box
    return box === UNKNOWN ? box : { sheet, box }
  }
  const isStill = step.kind === 'names' || step.kind === 'order'
  if (isStill || !isSameKey(step.sheet, place.sheet)) return place
  const box = step.kind === 'lines' ? boxInLines(step, place.box) : boxInBlock(step, place.box)
  return isLost(box) ? box : { sheet: place.sheet, box }
}

function boxIn({ rows, columns }: FoundSheet, box: Box): Box | typeof UNKNOWN {
  const down = linesIn(rows, box.top, box.bottom, MAX_ROW)
  const across = linesIn(columns, box.left, box.right, MAX_COLUMN)
  if (!down || !across) return UNKNOWN
  return { top: down[0], bottom: down[1], left: across[0], right: across[1] }
}

function boxInBlock({ from, to }: BlockStep, box: Box): Whereabouts<Box> {
  // One to cells that were overwritten names what stands there now, as in LibreOffice.
  if (!covers(from, box)) return box
  const [rows, columns] = [to.row - from.top, to.column - from.left]
  return {
    top: box.top + rows,
    bottom: box.bottom + rows,
    left: box.left + columns,
    right: box.right + columns,
  }
}

function boxInLines({ lines, isUndone = false }: LinesStep, box: Box): Whereabouts<Box> {
  const to = mapBox(lines, box)
  if (!to) return GONE
  return isUndone && to !== box && isAtSeam(lines, box) ? UNKNOWN : to
}

/** Lines that come back may have been at the end of the box, and one that is taken out was named on purpose. */
function isAtSeam(lines: LineShift, box: Box): boolean {
  const [first, last] = lines.axis === 'row' ? [box.top, box.bottom] : [box.left, box.right]
  if (first === 1 && last === lastLine(lines)) return false
  let before = 0
  return lines.runs.some(({ at, count }) => {
    if (lines.kind === 'delete') {
      const isIn = (line: number) => line >= at && line < at + count
      return isIn(first) || isIn(last)
    }
    const seam = at - before
    before += count
    return first === seam || last === seam - 1
  })
}

/** The step back, partial where the step loses something. */
export function inverseStep(step: PlaceStep): PlaceStep {
  switch (step.kind) {
    case 'lines': {
      const kind = step.lines.kind === 'insert' ? 'delete' : 'insert'
      const { isUndone, ...rest } = step
      const lines = { ...step.lines, kind } as const
      return isUndone ? { ...rest, lines } : { ...rest, lines, isUndone: true }
    }
    case 'block': {
      const { top: row, left: column } = step.from
      return { ...step, from: targetOf(step), to: { row, column } }
    }
    case 'order':
      return { ...step, rows: inverseRuns(step.rows) }
    case 'found':
      return {
        ...step,
        pairs: step.pairs.map(({ from, to, rows, columns }) => ({
          from: to,
          to: from,
          rows: inverseRuns(rows),
          columns: inverseRuns(columns),
        })),
      }
    case 'sheets':
      return { ...step, pairs: step.pairs.map(({ from, to }) => ({ from: to, to: from })) }
    case 'names':
      return { ...step, pairs: step.pairs.map(({ from, to }) => ({ from: to, to: from })) }
  }
}
