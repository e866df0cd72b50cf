import type { Box } from '@filewright/protocol'
import type { CellAddress } from '../cell/address.ts'
import { type LineShift, mapBox, mapLine } from '../places/line-shift.ts'
import { mapReferences } from '../places/map-references.ts'
import { GONE } from '../places/place-step.ts'

/** Where a cell is without the inserted lines; undefined: it is in them. */
export function cellBack(
  inserted: LineShift,
  { row, column }: CellAddress,
): CellAddress | undefined {
  const gone = withoutLines(inserted)
  const line = mapLine(gone, inserted.axis === 'row' ? row : column)
  if (line === undefined) return undefined
  return inserted.axis === 'row' ? { row: line, column } : { row, column: line }
}

/** Where a cell would be with the inserted lines. */
export function cellAhead(inserted: LineShift, { row, column }: CellAddress): CellAddress {
  const line = mapLine(inserted, inserted.axis === 'row' ? row : column)
  if (line === undefined) return { row, column }
  return inserted.axis === 'row' ? { row: line, column } : { row, column: line }
}

/** The cells of a box without the inserted lines; undefined: it has no other. */
export function boxBack(inserted: LineShift, box: Box): Box | undefined {
  return mapBox(withoutLines(inserted), box)
}

export interface ReferenceHome {
  /** Whether a reference that names this sheet, or none, is on the sheet with the lines. */
  isOn(sheet: string | undefined): boolean
  isSheet(name: string): boolean
}

/**
 * The formula that names the same cells without the inserted lines. Undefined where that is not certain: it names one of
 * those lines as a corner, or makes up its references.
 */
export function formulaBack(
  inserted: LineShift,
  formula: string,
  home: ReferenceHome,
): string | undefined {
  if (MADE_UP.test(formula)) return undefined
  const gone = withoutLines(inserted)
  let isCertain = true
  const { text, isLost, hasSheetRange } = mapReferences(formula, {
    ...home,
    box(box) {
      isCertain &&= !isCornerIn(inserted, box)
      return mapBox(gone, box) ?? GONE
    },
  })
  return isCertain && !isLost && !hasSheetRange ? text : undefined
}

const MADE_UP = /\b(INDIRECT|OFFSET|CELL|ADDRESS)\s*\(/i

function isCornerIn({ axis, runs: [run] }: LineShift, box: Box): boolean {
  const { at, count } = run!
  const lines = axis === 'row' ? [box.top, box.bottom] : [box.left, box.right]
  return lines.some(line => line >= at && line < at + count)
}

/** The same lines, deleted again. */
function withoutLines(inserted: LineShift): LineShift {
  return { ...inserted, kind: 'delete' }
}
