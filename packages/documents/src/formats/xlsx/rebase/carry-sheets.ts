import { isDeepStrictEqual } from 'node:util'
import type { Box } from '@filewright/protocol'
import { boxName, MAX_COLUMN, parseBox, splitSheet } from '../cell/address.ts'
import { doubtOfAttached, doubtOfReferring } from './attached.ts'
import type { Carried, Carrier, Task } from './carry.ts'
import { refuseAll } from './carry-cells.ts'
import { carryReferences } from './carry-references.ts'
import { boxesOf } from './doubt-of-looks.ts'
import { type FramedSheet, isStill, rowIn } from './frame.ts'
import {
  type Doubt,
  describeLostRow,
  doubtOfBox,
  doubtOfColumn,
  doubtOfLines,
  doubtOfMerges,
  doubtOfSheet,
  isOfWholeSheet,
  mapBox,
} from './prove.ts'

export type SheetDoubt = (task: Task, framed: FramedSheet) => Doubt

/**
 * An operation on one sheet: as it is, or with its range and its references where they are now. What it reads and
 * overwrites is as it was, unless a person decided for the draft's side; where it goes is proven in any case.
 */
export function onSheet(doubtOf: SheetDoubt): Carrier {
  return task => {
    const { on } = task
    const { sheet } = task.logged.operation
    if (!on) return refuseAll(task, `the sheet ${JSON.stringify(sheet)} is gone or renamed`)
    const isForced = task.changes.some(task.isForced)
    const doubt = isForced ? doubtOfNumbers(task, on.sheet) : doubtOf(task, on.sheet)
    return doubt ? refuseAll(task, doubt) : onTarget(task, on)
  }
}

/** `ensure_sheet`: as it is. */
export const carryNewSheet: Carrier = task => {
  const doubt = doubtOfNew(task)
  return doubt ? refuseAll(task, doubt) : asItIs(task)
}

export const doubtOfDeletedSheet: SheetDoubt = (task, framed) =>
  doubtOfName(task, framed) ?? doubtOfVisibility(framed) ?? doubtOfDeleted(task, framed)

/** What goes goes as the draft knew it: nobody attached anything to it, and nobody refers to it. */
export const doubtOfDeleted: SheetDoubt = ({ origin }, framed) =>
  doubtOfSheet(origin, framed) ??
  doubtOfAttached(origin, framed) ??
  doubtOfReferring(origin, framed)

export const doubtOfMerge: SheetDoubt = (task, framed) => {
  const box = boxOf(task)
  return doubtOfBox(task.origin, framed, box) ?? doubtOfMerges(task.origin, framed, box)
}

export const doubtOfUnmerge: SheetDoubt = (task, framed) =>
  doubtOfMerges(task.origin, framed, boxOf(task))

/** What moves or reads many cells is proven only where all of them are as they were. */
export const doubtOfPlaces: SheetDoubt = ({ origin }, framed) => doubtOfSheet(origin, framed)

/** The groups are those that were shown, and nothing was put where rows move. */
export const doubtOfSubtotals: SheetDoubt = (task, framed) =>
  doubtOfDeleted(task, framed) ?? doubtOfResults(task, framed)

/** What formulas give may come from any sheet and name. */
export const doubtOfResults: SheetDoubt = ({ origin }) => {
  const { old, now, isSameOrder } = origin.places
  const doubt = doubtOfOrder(isSameOrder)
  if (doubt) return doubt
  for (const sheet of old.sheets) {
    const framed = origin.find(sheet)
    const changed = framed && doubtOfSheet(origin, framed)
    if (changed) return `on the sheet ${JSON.stringify(sheet.name)}, ${changed}`
  }
  const namesOf = ({ definedNames }: typeof old) =>
    definedNames.map(({ name, text }) => `${name} ${text}`).sort()
  return isDeepStrictEqual(namesOf(old), namesOf(now)) ? undefined : 'defined names were changed'
}

export const doubtOfCopy: SheetDoubt = (task, framed) =>
  doubtOfPlaces(task, framed) ?? doubtOfTarget(task)

export const doubtOfPosition: SheetDoubt = ({ origin }) => doubtOfOrder(origin.places.isSameOrder)

function doubtOfTarget({ logged, frame, origin }: Task): Doubt {
  const { to, to_sheet: toSheet } = logged.operation
  const name = splitSheet(String(to ?? '')).sheet ?? toSheet
  if (typeof name !== 'string') return undefined
  const framed = frame.named(name)
  return framed ? doubtOfSheet(origin, framed) : `the sheet ${JSON.stringify(name)} is gone`
}

/** Nobody made a sheet of that name, and a position means the same. */
function doubtOfNew({ logged, origin }: Task): Doubt {
  const { sheet, name, index, position } = logged.operation
  const wanted = String(sheet ?? name)
  if (origin.places.now.sheet(wanted) && !origin.places.old.sheet(wanted))
    return `there is a sheet ${JSON.stringify(wanted)} now`
  const isPlaced = index !== undefined || position !== undefined
  return isPlaced ? doubtOfOrder(origin.places.isSameOrder) : undefined
}

function doubtOfOrder(isSame: boolean): Doubt {
  return isSame ? undefined : 'sheets were added, deleted, renamed or moved'
}

export const doubtOfName: SheetDoubt = (_, { pair }) => {
  return pair && pair.oldSheet.name !== pair.nowSheet.name
    ? `the sheet is now called ${JSON.stringify(pair.nowSheet.name)}`
    : undefined
}

function doubtOfVisibility({ pair }: FramedSheet): Doubt {
  return pair && pair.oldSheet.visibility !== pair.nowSheet.visibility
    ? `the sheet is now ${pair.nowSheet.visibility}`
    : undefined
}

export const doubtOfShown: SheetDoubt = (task, framed) => {
  if (isOfWholeSheet(task.logged.operation)) return doubtOfVisibility(framed)
  return doubtOfRuns(task, framed)
}

/** The rows or columns that the operation names by number kept their numbers, and look as they did. */
export const doubtOfRuns: SheetDoubt = (task, framed) => {
  for (const { axis, first, last } of runsOf(task)) {
    const doubt = doubtOfLines(framed, axis, first, last)
    if (doubt) return doubt
  }
  return doubtOfNumbers(task, framed)
}

/** They kept their numbers: whoever decides for the draft means these lines, and not others in their place. */
function doubtOfNumbers(task: Task, framed: FramedSheet): Doubt {
  const { at } = task.logged.operation
  if (at !== undefined && !isStill(framed)) return 'rows or columns of the sheet moved'
  for (const { axis, first, last } of runsOf(task))
    for (let line = first; line <= last; line++) {
      const to = axis === 'rows' ? rowIn(framed, line) : line
      if (to === undefined) return describeLostRow(framed.pair!, line)
      if (to !== line) return `row ${line} is now row ${to}`
      const doubt = axis === 'columns' ? doubtOfColumn(framed, line) : undefined
      if (doubt) return doubt
    }
  return undefined
}

interface Run {
  readonly axis: 'rows' | 'columns'
  readonly first: number
  readonly last: number
}

/** The lines that an operation names by number. */
function runsOf({ logged }: Task): Run[] {
  const { rows, columns, widths, heights } = logged.operation
  const named = { rows: [...keysOf(heights)], columns: [...keysOf(widths)] }
  if (rows !== undefined) named.rows.push(String(rows))
  if (columns !== undefined) named.columns.push(String(columns))
  return (['rows', 'columns'] as const).flatMap(axis =>
    named[axis].map(run => ({ axis, ...linesOf(run) })),
  )
}

function keysOf(sizes: unknown): string[] {
  return typeof sizes === 'object' && sizes !== null ? Object.keys(sizes) : []
}

function linesOf(run: string): { readonly first: number; readonly last: number } {
  const box = parseBox(run.includes(':') ? run : `${run}:${run}`)
  if (!box) return { first: 0, last: -1 }
  const isRows = box.left === 1 && box.right === MAX_COLUMN
  return isRows ? { first: box.top, last: box.bottom } : { first: box.left, last: box.right }
}

function boxOf({ logged }: Task) {
  const { address } = splitSheet(String(logged.operation.range))
  return parseBox(address)!
}

function asItIs({ logged, changes }: Task): Carried {
  const expected = new Map(changes.map(change => [change.id, change]))
  return { operations: [logged.operation], expected, conflicts: [] }
}

/** On the sheet as it is called now, with its range where it is now. */
function onTarget(task: Task, { sheet, name }: NonNullable<Task['on']>): Carried {
  const { operation } = task.logged
  const carried = carryReferences(task)
  if (typeof carried === 'string') return refuseAll(task, carried)
  const boxes = boxesOf(operation)
  const there = boxes.map(box => mapBox(sheet, box))
  const lost = there.find(own => typeof own === 'string')
  if (lost !== undefined) return refuseAll(task, lost)
  const nameOf = (list: readonly Box[]) => list.map(boxName).join(',')
  const isThere = nameOf(there as Box[]) === nameOf(boxes)
  if (isThere && sheet.target.name === name && isDeepStrictEqual(carried, operation))
    return asItIs(task)
  const moved = !isThere && { range: nameOf(there as Box[]) }
  return { operations: [{ ...carried, sheet: sheet.target.name, ...moved }], conflicts: [] }
}
