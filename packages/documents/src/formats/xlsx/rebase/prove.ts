import type { Box, Operation } from '@filewright/protocol'
import { boxName, cellName, columnName, intersects, MAX_COLUMN, MAX_ROW } from '../cell/address.ts'
import { type Frame, type FramedSheet, rowIn, staysIn } from './frame.ts'
import { lineOf } from './line-properties.ts'
import type { SheetPair } from './places.ts'
import { isSameCell, isSameFormat } from './same-cell.ts'
import { cellAt, isFilled, type SheetContent } from './sheet-content.ts'

/** Why a place is not proven; undefined: it is. */
export type Doubt = string | undefined

/** Where a cell is now; a string where nothing proves it. */
export function findCell(framed: FramedSheet, row: number, column: number): number | string {
  const to = rowIn(framed, row)
  if (to === undefined) return describeLostRow(framed.pair!, row)
  return doubtOfColumn(framed, column) ?? to
}

/** The column is where it was. */
export function doubtOfColumn(framed: FramedSheet, column: number): Doubt {
  if (staysIn(framed, column)) return undefined
  const holds = ({ cells }: SheetContent) =>
    [...cells.values()].some(cell => cell.column === column && isFilled(cell))
  const { old, now } = framed.pair!
  return !holds(old) && holds(now)
    ? `column ${columnName(column)} was empty and is in use now`
    : `column ${columnName(column)} may have moved`
}

export function describeLostRow({ old, now }: SheetPair, row: number): string {
  if (old.rows.has(row)) return `row ${row} was changed, moved or deleted beyond recognition`
  if (now.rows.has(row)) return `row ${row} was empty and is in use now`
  return `rows around the empty row ${row} were inserted, moved or deleted`
}

/** What the cell held when the draft began still stands there. */
export function isUntouched(
  origin: Frame,
  { pair }: FramedSheet,
  at: { readonly row: number; readonly to: number; readonly column: number },
): boolean {
  if (!pair) return true
  const framed = origin.find(pair.oldSheet)!
  const old = cellAt(pair.old, at.row, at.column)
  const now = cellAt(pair.now, at.to, at.column)
  return isSameCell(old, now, formula => origin.mapFormula(formula, framed, at.row))
}

/** The format a date would take or keep. */
export function hasSameFormat(
  { places }: Frame,
  { pair }: FramedSheet,
  at: { readonly row: number; readonly to: number; readonly column: number },
): boolean {
  if (!pair) return true
  const old = { book: places.old, cell: cellAt(pair.old, at.row, at.column) }
  return isSameFormat(old, { book: places.now, cell: cellAt(pair.now, at.to, at.column) })
}

/** Nobody put anything into the box meanwhile, and nothing of it changed. */
export function doubtOfBox(origin: Frame, framed: FramedSheet, box: Box): Doubt {
  const { pair } = framed
  if (!pair) return undefined
  const there = mapBox(framed, box)
  if (typeof there === 'string') return there
  const old = filledIn(pair.old, box)
  const now = filledIn(pair.now, there)
  for (const { row, column } of old) {
    const to = findCell(framed, row, column)
    if (typeof to === 'string') return to
    if (!isUntouched(origin, framed, { row, to, column }))
      return `${cellName(to, column)} was changed`
  }
  if (now.length === old.length) return undefined
  const added = now.find(({ row, column }) => !isImage(framed, old, row, column))
  return added && `${cellName(added.row, added.column)} was filled`
}

function isImage(
  framed: FramedSheet,
  old: readonly { readonly row: number; readonly column: number }[],
  row: number,
  column: number,
): boolean {
  return old.some(own => own.column === column && rowIn(framed, own.row) === row)
}

/** The box with its corners where they are now. */
export function mapBox(framed: FramedSheet, box: Box): Box | string {
  if (!framed.pair) return box
  const isOpen = box.bottom === MAX_ROW
  const top = isOpen && box.top === 1 ? 1 : rowIn(framed, box.top)
  const bottom = isOpen ? MAX_ROW : rowIn(framed, box.bottom)
  if (top === undefined) return describeLostRow(framed.pair, box.top)
  if (bottom === undefined) return describeLostRow(framed.pair, box.bottom)
  if (!framed.pair.rows.isInOrder) return 'rows of the sheet were sorted or moved'
  const doubt = doubtOfColumn(framed, box.left) ?? doubtOfColumn(framed, box.right)
  return doubt ?? { ...box, top, bottom }
}

function filledIn({ cells }: SheetContent, box: Box) {
  return [...cells.values()].filter(
    cell =>
      isFilled(cell) &&
      intersects(box, { top: cell.row, bottom: cell.row, left: cell.column, right: cell.column }),
  )
}

/** Merged ranges that touch the box are the same. */
export function doubtOfMerges({ places }: Frame, { pair }: FramedSheet, box: Box): Doubt {
  if (!pair) return undefined
  const old = places.old.mergesOf(pair.oldSheet)
  const now = places.now.mergesOf(pair.nowSheet)
  if (!old.ok || !now.ok) return 'the merged ranges cannot be read'
  const near = (merges: readonly Box[]) =>
    merges
      .filter(own => intersects(own, box))
      .map(boxName)
      .sort()
      .join(', ')
  if (near(old.value) === near(now.value)) return undefined
  return `the merged ranges there are now ${near(now.value) || 'none'}`
}

/** The rows or columns look as they did. */
export function doubtOfLines(
  framed: FramedSheet,
  axis: 'rows' | 'columns',
  first: number,
  last: number,
): Doubt {
  const { pair } = framed
  if (!pair) return undefined
  for (let line = first; line <= last; line++) {
    const to = axis === 'rows' ? rowIn(framed, line) : line
    if (to === undefined) return describeLostRow(pair, line)
    const moved = axis === 'columns' ? doubtOfColumn(framed, line) : undefined
    if (moved) return moved
    const now = lineOf(pair.nowSheet, axis, to)
    if (lineOf(pair.oldSheet, axis, line) !== now)
      return `${axis === 'rows' ? `row ${to}` : `column ${columnName(to)}`} is now ${now}`
  }
  return undefined
}

/** The whole sheet, formats and merged cells included, is as it was. */
export function doubtOfSheet(origin: Frame, framed: FramedSheet): Doubt {
  const { pair } = framed
  if (!pair) return undefined
  const { old, now } = pair
  const framedOld = origin.find(pair.oldSheet)!
  const keys = new Set([...old.cells.keys(), ...now.cells.keys()])
  for (const key of keys) {
    const at = old.cells.get(key) ?? now.cells.get(key)!
    const before = cellAt(old, at.row, at.column)
    const after = cellAt(now, at.row, at.column)
    const isSame =
      isSameCell(before, after, text => origin.mapFormula(text, framedOld, at.row)) &&
      hasSameFormat(origin, framed, { row: at.row, to: at.row, column: at.column })
    if (!isSame) return `${cellName(at.row, at.column)} was changed`
  }
  const whole = { top: 1, left: 1, bottom: MAX_ROW, right: MAX_COLUMN }
  const lastRow = Math.max(lastRowOf(pair.oldSheet), lastRowOf(pair.nowSheet))
  return (
    doubtOfMerges(origin, framed, whole) ??
    doubtOfSameLines(pair, 'rows', lastRow) ??
    doubtOfSameLines(pair, 'columns', SIZED_COLUMNS)
  )
}

const SIZED_COLUMNS = 100 // whose widths are compared

function lastRowOf(sheet: SheetPair['oldSheet']): number {
  const xml = sheet.xml()
  return xml.ok && xml.value.rows.count > 0 ? xml.value.rows.numbers[xml.value.rows.count - 1]! : 0
}

function doubtOfSameLines(pair: SheetPair, axis: 'rows' | 'columns', last: number): Doubt {
  for (let line = 1; line <= last; line++) {
    const now = lineOf(pair.nowSheet, axis, line)
    if (lineOf(pair.oldSheet, axis, line) !== now)
      return `${axis === 'rows' ? `row ${line}` : `column ${columnName(line)}`} is now ${now}`
  }
  return undefined
}

export function isOfWholeSheet({ rows, columns }: Operation): boolean {
  return rows === undefined && columns === undefined
}
