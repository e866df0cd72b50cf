import type { Box } from '@filewright/protocol'
import { MAX_COLUMN, MAX_ROW, WHOLE_SHEET } from '../cell/address.ts'

export interface ShiftedRun {
  /** The first line. */
  readonly at: number
  readonly count: number
}

/** Rows or columns inserted or deleted; `band` limits it to some columns or rows, whose cells alone move. */
export interface LineShift {
  readonly axis: 'row' | 'column'
  readonly kind: 'insert' | 'delete'
  /** Sorted and disjoint: inserted ones by where they are afterwards, deleted ones by where they were. */
  readonly runs: readonly ShiftedRun[]
  readonly band?: readonly [first: number, last: number]
}

export function firstLine({ runs }: LineShift): number {
  return runs[0]!.at
}

/** Undefined: the line is deleted, or beyond the last one of a sheet. */
export function mapLine(shift: LineShift, line: number): number | undefined {
  if (shift.kind === 'delete') {
    const isGone = shift.runs.some(({ at, count }) => line >= at && line < at + count)
    return isGone ? undefined : line - deletedBefore(shift, line)
  }
  const to = line + insertedBefore(shift, line)
  return to <= lastLine(shift) ? to : undefined
}

function insertedBefore({ runs }: LineShift, line: number): number {
  let count = 0
  for (const run of runs) {
    if (line + count < run.at) break
    count += run.count
  }
  return count
}

/** Where a deleted line was, among those that are left. */
export function lineLeft(shift: LineShift, line: number): number {
  return mapLine(shift, line) ?? line - deletedBefore(shift, line)
}

function deletedBefore({ runs, kind }: LineShift, line: number): number {
  if (kind === 'insert') return 0
  let count = 0
  for (const run of runs) {
    if (run.at >= line) break
    count += Math.min(run.count, line - run.at)
  }
  return count
}

export function lastLine({ axis }: Pick<LineShift, 'axis'>): number {
  return axis === 'row' ? MAX_ROW : MAX_COLUMN
}

/** Where the cells of a box are afterwards, with the lines inserted among them; undefined: none is left. */
export function mapBox(shift: LineShift, box: Box): Box | undefined {
  const isRow = shift.axis === 'row'
  const [first, last] = isRow ? [box.top, box.bottom] : [box.left, box.right]
  const [low, high] = isRow ? [box.left, box.right] : [box.top, box.bottom]
  // A box that reaches out of the band stays: only a part of its cells moves.
  if (shift.band && (low < shift.band[0] || high > shift.band[1])) return box
  const lines = mapLines(shift, first, last)
  if (!lines) return undefined
  return isRow
    ? { ...box, top: lines[0], bottom: lines[1] }
    : { ...box, left: lines[0], right: lines[1] }
}

export function mapLines(
  shift: LineShift,
  first: number,
  last: number,
): readonly [number, number] | undefined {
  const end = lastLine(shift)
  if (first === 1 && last === end) return [first, last]
  if (shift.kind === 'insert') {
    const from = first + insertedBefore(shift, first)
    return from > end ? undefined : [from, Math.min(end, last + insertedBefore(shift, last))]
  }
  const from = first - deletedBefore(shift, first)
  // An open end stays open.
  const to = last === end ? end : last - deletedBefore(shift, last + 1)
  return from > to ? undefined : [from, to]
}

/** The boxes of the inserted or deleted lines. */
export function linesBoxes({ axis, runs, band }: LineShift): Box[] {
  const [low, high] = band ?? [1, axis === 'row' ? MAX_COLUMN : MAX_ROW]
  return runs.map(({ at, count }) =>
    axis === 'row'
      ? { ...WHOLE_SHEET, top: at, bottom: at + count - 1, left: low, right: high }
      : { ...WHOLE_SHEET, left: at, right: at + count - 1, top: low, bottom: high },
  )
}
