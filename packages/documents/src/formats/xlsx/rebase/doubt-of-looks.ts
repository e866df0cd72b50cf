import type { Box, Fields, Operation } from '@filewright/protocol'
import { aroundTexts } from '../book/around.ts'
import { frozenOf } from '../book/line-sizes.ts'
import {
  boxName,
  cellKey,
  cellName,
  MAX_ROW,
  parseBox,
  splitRanges,
  splitSheet,
} from '../cell/address.ts'
import { describePrint } from '../view/print-words.ts'
import type { Task } from './carry.ts'
import { type FramedSheet, isStill, rowIn } from './frame.ts'
import { type Doubt, mapBox } from './prove.ts'
import { isSameFormat } from './same-cell.ts'
import { cellAt, type SheetContent } from './sheet-content.ts'

/** The ranges that an operation names, on its own sheet. */
export function boxesOf({ range }: Operation): readonly Box[] {
  return typeof range === 'string'
    ? splitRanges(range).flatMap(own => parseBox(splitSheet(own).address) ?? [])
    : []
}

/** The cells look as they did: nobody gave them another look meanwhile. */
export function doubtOfLooks(task: Task, framed: FramedSheet): Doubt {
  for (const box of boxesOf(task.logged.operation)) {
    const doubt = doubtOfFormats(task, framed, box)
    if (doubt) return doubt
  }
  return doubtOfSource(task, framed)
}

function doubtOfSource(task: Task, own: FramedSheet): Doubt {
  const { like } = task.logged.operation
  if (typeof like !== 'string') return undefined
  const { sheet, address } = splitSheet(like)
  const framed = sheet === undefined ? own : task.frame.named(sheet)
  if (!framed) return `the sheet ${JSON.stringify(sheet)} is gone`
  const box = parseBox(address)
  const there = box && mapBox(framed, box)
  if (!box || !there) return undefined
  if (typeof there === 'string') return there
  if (boxName(there) !== boxName(box)) return `${boxName(box)} is now ${boxName(there)}`
  return doubtOfFormats(task, framed, box)
}

function doubtOfFormats({ origin }: Task, framed: FramedSheet, box: Box): Doubt {
  const { pair } = framed
  if (!pair) return undefined
  const there = mapBox(framed, box)
  if (typeof there === 'string') return there
  const { places } = origin
  const known = new Set<number>()
  const looksOther = (row: number, to: number, column: number) =>
    !isSameFormat(
      { book: places.old, cell: cellAt(pair.old, row, column) },
      { book: places.now, cell: cellAt(pair.now, to, column) },
    )
  for (const { row, column } of cellsIn(pair.old, box)) {
    const to = rowIn(framed, row)
    if (to === undefined) continue
    known.add(cellKey(to, column))
    if (looksOther(row, to, column)) return `${cellName(to, column)} looks different now`
  }
  const added = cellsIn(pair.now, there).find(
    ({ row, column }) => !known.has(cellKey(row, column)) && looksOther(NOWHERE, row, column),
  )
  return added && `${cellName(added.row, added.column)} looks different now`
}

const NOWHERE = MAX_ROW + 1 // a cell there looks like no cell was ever written

function cellsIn({ cells }: SheetContent, box: Box) {
  return [...cells.values()].filter(
    ({ row, column }) =>
      row >= box.top && row <= box.bottom && column >= box.left && column <= box.right,
  )
}

/** The rules are those that the draft knew, and its cells are where they were. */
export function doubtOfRules({ logged }: Task, framed: FramedSheet): Doubt {
  const { pair } = framed
  if (!pair) return undefined
  const textOf = (sheet: typeof pair.oldSheet) =>
    aroundTexts(sheet, 'conditionalFormatting').join('')
  if (textOf(pair.oldSheet) !== textOf(pair.nowSheet))
    return 'the conditional formats are other ones'
  return doubtOfMoved(framed, boxesOf(logged.operation))
}

/** A formula or a print area names cells by their numbers. */
function doubtOfMoved(framed: FramedSheet, boxes: readonly Box[]): Doubt {
  for (const box of boxes) {
    const there = mapBox(framed, box)
    if (typeof there === 'string') return there
    if (boxName(there) !== boxName(box)) return `${boxName(box)} is now ${boxName(there)}`
  }
  return undefined
}

/** The same lines are frozen as before, and those that are to be frozen are where they were. */
export function doubtOfPanes({ logged }: Task, framed: FramedSheet): Doubt {
  const { pair } = framed
  if (!pair) return undefined
  const [old, now] = [frozenOf(pair.oldSheet), frozenOf(pair.nowSheet)]
  if (JSON.stringify(old) !== JSON.stringify(now)) return 'other rows or columns are frozen'
  const { at, cell } = logged.operation
  const box = parseBox(String(at ?? cell).replaceAll('$', ''))
  if (!box) return isStill(framed) ? undefined : 'rows or columns of the sheet moved'
  const boxes: Box[] = []
  if (box.top > 1) boxes.push({ ...box, top: box.top - 1, right: box.left })
  if (box.left > 1) boxes.push({ ...box, left: box.left - 1, bottom: box.top })
  return doubtOfMoved(framed, boxes)
}

export function doubtOfPrint({ logged, origin }: Task, framed: FramedSheet): Doubt {
  const { pair } = framed
  if (!pair) return undefined
  const { old, now } = origin.places
  if (describePrint(old, pair.oldSheet) !== describePrint(now, pair.nowSheet))
    return 'the sheet is printed in another way'
  const { area, title_rows, title_columns } = (logged.operation.print ?? {}) as Fields
  const namesPlaces = [area, title_rows, title_columns].some(own => own !== undefined)
  return namesPlaces && !isStill(framed) ? 'rows or columns of the sheet moved' : undefined
}
