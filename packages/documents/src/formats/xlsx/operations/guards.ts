import type { Box, ChangeId } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import { arraysOf } from '../book/arrays.ts'
import type { Sheet } from '../book/sheet.ts'
import { boxName, columnOfKey, contains, covers, intersects, rowOfKey } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import type { Editor } from './editor.ts'

/**
 * Cells filled by one formula: an array or a data table can only be replaced as a whole. Without keys the whole box
 * counts as touched.
 */
export function refuseInsideArrays(sheet: Sheet, touched: Box, keys?: ReadonlySet<number>): void {
  const xml = sheet.xml()
  if (!xml.ok) return
  for (const box of arraysOf(xml.value)) {
    if (!intersects(box, touched) || isReplaced(sheet, box)) continue
    const area = (box.bottom - box.top + 1) * (box.right - box.left + 1)
    const hits = keys ? countInside(keys, box) : covers(touched, box) ? area : 1
    if (hits > 0 && hits < area)
      throw new Refusal(
        'CONFLICT',
        `${boxName(box)} on sheet ${JSON.stringify(sheet.name)} is filled by one formula (an array or a data table), so a part of it cannot be changed; write or clear all of ${boxName(box)}`,
      )
  }
}

/** Whether one formula fills the cell together with others, so that its content is a result. */
export function filledCells(sheet: Sheet): (row: number, column: number) => boolean {
  const xml = sheet.xml()
  const boxes = xml.ok ? arraysOf(xml.value).filter(box => !isReplaced(sheet, box)) : []
  return (row, column) => boxes.some(box => contains(box, row, column))
}

function countInside(keys: ReadonlySet<number>, box: Box): number {
  let count = 0
  for (const key of keys) if (contains(box, rowOfKey(key), columnOfKey(key))) count++
  return count
}

/** The array is gone once its first cell was overwritten. */
function isReplaced(sheet: Sheet, box: Box): boolean {
  for (const _ of sheet.editsWithin({ ...box, bottom: box.top, right: box.left })) return true
  return false
}

const MOST_CELLS = 1_000_000 // each is looked at, with or without content

/** A range that nobody could have meant cell by cell. */
export function refuseTooMany(box: Box, op: string): void {
  const count = (box.bottom - box.top + 1) * (box.right - box.left + 1)
  if (count > MOST_CELLS)
    throw new Refusal(
      'TOO_LARGE',
      `${op}: ${boxName(box)} has ${count} cells, and at most ${MOST_CELLS} are written at once; send the range that holds the data`,
    )
}

/** The ranges that one formula fills each, among the cells of a box. */
export function arraysIn(sheet: Sheet, box: Box): readonly Box[] {
  const xml = sheet.xml()
  return xml.ok ? arraysOf(xml.value).filter(own => intersects(own, box)) : []
}

/** The changes of the other cells that one formula fills with a cell: it goes only with all of them. */
export function withItsArray(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  cells: readonly CellData[],
): (cell: CellData) => readonly ChangeId[] {
  const arrays = arraysIn(sheet, box)
  return ({ row, column }) => {
    const array = arrays.find(own => contains(own, row, column))
    if (!array) return []
    const others = cells.filter(
      own => contains(array, own.row, own.column) && (own.row !== row || own.column !== column),
    )
    return others.map(own => editor.idAt(sheet, own.row, own.column))
  }
}
