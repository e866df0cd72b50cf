import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey, cellName, parseBox, placeOf, splitSheet, WHOLE_SHEET } from '../cell/address.ts'
import { soughtBy } from '../operations/find-replace.ts'
import type { Task } from './carry.ts'
import type { SheetPair } from './places.ts'
import type { Doubt } from './prove.ts'
import { mapBox } from './prove.ts'

/** A text that is to be replaced stands only where it stood: nobody put it into another cell. */
export function doubtOfMatches({ logged, origin, on }: Task): Doubt {
  const { operation } = logged
  const { old, now, pairs } = origin.places
  const { inFormulas, isWanted } = soughtBy(operation)
  const find = (book: Book, sheet: Sheet, box: Box) => {
    const found = book.findCells(sheet, box, { inFormulas, isWanted, noteMisplaced: () => {} })
    return found.ok ? found.value : []
  }
  const given = parseBox(splitSheet(String(operation.range)).address) ?? WHOLE_SHEET
  for (const sheet of now.sheets) {
    const pair = [...pairs.values()].find(own => own.nowSheet === sheet)
    if (!isSearched(sheet, pair, on)) continue
    const box = on && pair ? mapBox(on.sheet, given) : given
    if (typeof box === 'string') return box
    const known = new Set(
      pair ? find(old, pair.oldSheet, given).map(cell => imageOf(pair, cell)) : [],
    )
    const added = find(now, sheet, box).find(cell => !known.has(cellKey(cell.row, cell.column)))
    if (added) return `${placeOf(sheet.name, cellName(added.row, added.column))} contains it now`
  }
  return undefined
}

function isSearched(sheet: Sheet, pair: SheetPair | undefined, on: Task['on']): boolean {
  if (sheet.kind !== 'worksheet' || !sheet.isInFile) return false
  return !on || (pair !== undefined && pair === on.sheet.pair)
}

function imageOf(
  { rows }: SheetPair,
  { row, column }: { readonly row: number; readonly column: number },
): number {
  return cellKey(rows.to(row) ?? 0, column)
}
