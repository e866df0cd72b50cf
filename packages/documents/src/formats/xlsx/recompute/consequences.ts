import type { ChangeSide, Consequence } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import { showCell } from '../book/show.ts'
import { cellName, placeOf } from '../cell/address.ts'
import type { CellContent } from '../cell/cells.ts'
import type { RecomputedCell } from './accept-recompute.ts'
import { EarlierResults, type EarlierState } from './earlier-results.ts'
import type { Recomputed } from './recompute.ts'

const MOST = 1_000 // a person reads the first ones, and the file holds all

/**
 * Formulas that nobody changed and whose results are others now than in the file. `written`: the places of the changes.
 */
export function consequencesOf(
  book: Book,
  { cells }: Recomputed,
  opened: EarlierState,
  written: ReadonlySet<string>,
): Omit<Consequence, 'docPath' | 'path'>[] {
  const found: Omit<Consequence, 'docPath' | 'path'>[] = []
  const earlier = new EarlierResults(book, opened, cells)
  for (const cell of cells) {
    if (found.length === MOST) break
    const { value, isSame, reason } = cell
    const place = placeOf(cell.sheet.name, cellName(cell.row, cell.column))
    if (written.has(place) || (isSame && reason === undefined)) continue
    const [before, after] = [sideOf(book, cell, earlier.of(cell)), sideOf(book, cell, value)]
    if (before?.text !== after?.text || before?.value !== after?.value)
      found.push({ place, formula: `=${cell.formula.text}`, before, after })
  }
  return found
}

function sideOf(
  book: Book,
  { style }: RecomputedCell,
  content: CellContent | undefined,
): ChangeSide | null {
  if (!content || content.type === 'empty') return null
  const { text } = showCell(book, { content, style })
  return { text, value: content.value }
}
