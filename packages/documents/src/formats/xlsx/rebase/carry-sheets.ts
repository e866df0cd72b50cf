import { type Box, lookUp } from '@filewright/protocol'
import { boxName, columnName, MAX_COLUMN, parseBox, splitSheet } from '../cell/address.ts'
import type { Carried, Carrier, Task } from './carry.ts'
import { refuseAll } from './carry-cells.ts'
import {
  boxesOf,
  doubtOfLooks,
  doubtOfPanes,
  doubtOfPrint,
  doubtOfRules,
} from './doubt-of-looks.ts'
import { type FramedSheet, rowIn, staysIn } from './frame.ts'
import {
  type Doubt,
  describeLostRow,
  doubtOfBox,
  doubtOfLines,
  doubtOfMerges,
  doubtOfReferring,
  doubtOfSheet,
  isOfWholeSheet,
  mapBox,
} from './prove.ts'

/** An operation on whole sheets, rows, columns or merged cells: as it is, where what it reads is as it was. */
export const carrySheet: Carrier = task => {
  const { operation } = task.logged
  const { op } = operation
  const isNew = op === 'ensure_sheet'
  const on = isNew ? undefined : task.on
  if (!on && !isNew)
    return refuseAll(task, `the sheet ${JSON.stringify(operation.sheet)} is gone or renamed`)
  const isForced = task.changes.some(task.isForced)
  const doubt = isForced
    ? on && doubtOfNumbers(task, on.sheet)
    : on
      ? lookUp(DOUBTS, op)?.(task, on.sheet)
      : doubtOfNew(task)
  if (doubt) return refuseAll(task, doubt)
  return on ? onTarget(task, on) : asItIs(task)
}

const DOUBTS: Readonly<Record<string, (task: Task, framed: FramedSheet) => Doubt>> = {
  delete_sheet: ({ origin }, framed) =>
    doubtOfName(framed) ??
    doubtOfVisibility(framed) ??
    doubtOfSheet(origin, framed) ??
    doubtOfReferring(origin, framed),
  copy_sheet: ({ origin }, framed) => doubtOfSheet(origin, framed),
  move_sheet: ({ origin }) => doubtOfOrder(origin.places.isSameOrder),
  rename_sheet: (_, framed) => doubtOfName(framed),
  merge_cells: (task, framed) => {
    const box = boxOf(task)
    return doubtOfBox(task.origin, framed, box) ?? doubtOfMerges(task.origin, framed, box)
  },
  unmerge_cells: (task, framed) => doubtOfMerges(task.origin, framed, boxOf(task)),
  hide: doubtOfShown,
  show: doubtOfShown,
  set_column_widths: doubtOfRuns,
  set_row_heights: doubtOfRuns,
  ...Object.fromEntries(
    [
      ...['insert_rows', 'delete_rows', 'insert_columns', 'delete_columns'],
      ...['insert_cells', 'delete_cells', 'append_rows', 'sort_range', 'move_range'],
      ...['remove_duplicates', 'convert_cells', 'replace_values', 'fill'],
    ].map(op => [op, doubtOfPlaces]),
  ),
  copy_range: (task, framed) => doubtOfPlaces(task, framed) ?? doubtOfTarget(task),
  set_style: doubtOfLooks,
  clear_style: doubtOfLooks,
  conditional_format: doubtOfRules,
  freeze_panes: doubtOfPanes,
  auto_filter: doubtOfPlaces,
  print_setup: doubtOfPrint,
  group: doubtOfRuns,
  ungroup: doubtOfRuns,
}

/** What moves or reads many cells is proven only where all of them are as they were. */
function doubtOfPlaces({ origin }: Task, framed: FramedSheet): Doubt {
  return doubtOfSheet(origin, framed)
}

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

function doubtOfName({ pair }: FramedSheet): Doubt {
  return pair && pair.oldSheet.name !== pair.nowSheet.name
    ? `the sheet is now called ${JSON.stringify(pair.nowSheet.name)}`
    : undefined
}

function doubtOfVisibility({ pair }: FramedSheet): Doubt {
  return pair && pair.oldSheet.visibility !== pair.nowSheet.visibility
    ? `the sheet is now ${pair.nowSheet.visibility}`
    : undefined
}

function doubtOfShown(task: Task, framed: FramedSheet): Doubt {
  if (isOfWholeSheet(task.logged.operation)) return doubtOfVisibility(framed)
  return doubtOfRuns(task, framed)
}

/** The rows or columns that the operation names by number kept their numbers, and look as they did. */
function doubtOfRuns(task: Task, framed: FramedSheet): Doubt {
  for (const { axis, first, last } of runsOf(task)) {
    const doubt = doubtOfLines(framed, axis, first, last)
    if (doubt) return doubt
  }
  return doubtOfNumbers(task, framed)
}

/** They kept their numbers: whoever decides for the draft means these lines, and not others in their place. */
function doubtOfNumbers(task: Task, framed: FramedSheet): Doubt {
  for (const { axis, first, last } of runsOf(task))
    for (let line = first; line <= last; line++) {
      const to = axis === 'rows' ? rowIn(framed, line) : line
      if (to === undefined) return describeLostRow(framed.pair!, line)
      if (to !== line) return `row ${line} is now row ${to}`
      if (axis === 'columns' && !staysIn(framed, line))
        return `column ${columnName(line)} may have moved`
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
  const boxes = boxesOf(operation)
  const there = boxes.map(box => mapBox(sheet, box))
  const lost = there.find(own => typeof own === 'string')
  if (lost !== undefined) return refuseAll(task, lost)
  const nameOf = (list: readonly Box[]) => list.map(boxName).join(',')
  const isThere = nameOf(there as Box[]) === nameOf(boxes)
  if (isThere && sheet.target.name === name) return asItIs(task)
  const moved = !isThere && { range: nameOf(there as Box[]) }
  return { operations: [{ ...operation, sheet: sheet.target.name, ...moved }], conflicts: [] }
}
