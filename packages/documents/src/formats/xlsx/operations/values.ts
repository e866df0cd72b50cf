import type { Box } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import { arraysOf } from '../book/arrays.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { boxName, cellName, contains, intersects, placeOf } from '../cell/address.ts'
import type { CellContent, CellData, CellNow } from '../cell/cells.ts'
import { cellsIn, type Editor, refuseMisplaced } from './editor.ts'

/** What the cells of a box show now, by key. Whoever decides by it keeps the decision with `editor.resolve`. */
export function valuesIn(book: Book, sheet: Sheet, box: Box): Map<number, CellNow> {
  const cells = book.values.in(sheet, box, refuseMisplaced(sheet))
  if (!cells.ok) throw new Refusal('UNREADABLE_FORMAT', cells.failure.message)
  return cells.value
}

/**
 * The cells of a box, by key, with what they showed when the operation was logged: a replay takes from there what
 * formulas gave, and computes nothing.
 */
export function shownIn({ book, resolve }: Editor, sheet: Sheet, box: Box): Map<number, CellNow> {
  const cells = cellsIn(book, sheet, box)
  const computed = computedAmong(sheet, box, cells)
  const results =
    computed.size === 0
      ? NO_RESULTS
      : resolve(`shown in ${placeOf(sheet.name, boxName(box))}`, () => {
          const now = valuesIn(book, sheet, box)
          return Object.fromEntries(
            [...computed].map(key => [nameOf(cells.get(key)!), contentAt(now, key)]),
          )
        })
  const shown = new Map<number, CellNow>()
  for (const [key, cell] of cells) {
    const content = computed.has(key) ? results[nameOf(cell)] : cell.content
    shown.set(key, { ...cell, content: content ?? EMPTY, isStale: !content })
  }
  return shown
}

const NO_RESULTS: Readonly<Record<string, CellContent | null>> = {}
const EMPTY: CellContent = { type: 'empty', value: null }

function nameOf({ row, column }: CellData): string {
  return cellName(row, column)
}

/** Null: it is not known. */
function contentAt(now: ReadonlyMap<number, CellNow>, key: number): CellContent | null {
  const cell = now.get(key)
  return cell && !cell.isStale ? cell.content : null
}

/** Formulas, and the cells that array formulas fill. */
function computedAmong(
  sheet: Sheet,
  box: Box,
  cells: ReadonlyMap<number, CellData>,
): ReadonlySet<number> {
  const xml = sheet.xml()
  const arrays = xml.ok ? arraysOf(xml.value).filter(own => intersects(own, box)) : []
  const keys = new Set<number>()
  for (const [key, { row, column, formula }] of cells)
    if (formula || arrays.some(own => contains(own, row, column))) keys.add(key)
  return keys
}

/**
 * Refuses an operation that has to know what a cell shows. `why`: what it needs that for; `instead`: what would work.
 */
export function refuseUnknown(
  { book }: Editor,
  sheet: Sheet,
  cell: CellNow | undefined,
  { why, instead }: { readonly why: string; readonly instead: string },
): void {
  if (!cell?.isStale) return
  throw new Refusal(
    'CONFLICT',
    `${placeOf(sheet.name, nameOf(cell))} is a formula without a known value (${book.values.reasonAt(sheet, cell)}), so ${why}; ${instead}`,
  )
}

/** The cells of which it is not known what they show, each with the reason. */
export function unknownAmong(
  { book }: Editor,
  sheet: Sheet,
  cells: readonly CellNow[],
): readonly string[] {
  return cells
    .filter(({ isStale }) => isStale)
    .map(cell => `${nameOf(cell)} (${book.values.reasonAt(sheet, cell)})`)
}
