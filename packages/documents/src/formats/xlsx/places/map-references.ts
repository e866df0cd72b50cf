import type { Box } from '@filewright/protocol'
import { type Corner, cornersBox, cornerText, parseCorner } from './corners.ts'
import { isExternal, type ReferenceUnit, rewriteUnits, withCorners } from './units.ts'

/** Where a box that a formula names is once cells moved. */
export interface ReferenceMap {
  /** Whether a reference is on the sheet whose cells moved; undefined: it names no sheet. */
  isOn(sheet: string | undefined): boolean
  /** Undefined: none of its cells is left. */
  box(box: Box): Box | undefined
  /** Relative corners stay as they are: in a defined name they mean a distance. */
  readonly onlyFixed?: boolean
  /** Whether a sheet has that name: only then is `Q1:Q4!A1` a range of sheets; otherwise it is one of cells. */
  isSheet(name: string): boolean
}

export interface MappedFormula {
  readonly text: string
  /** A reference reads `#REF!` now. */
  readonly isLost: boolean
  /** A reference has more or fewer cells than before. */
  readonly isResized: boolean
  /** It names a range of sheets, which stays as it is, and this sheet may be one of them. */
  readonly hasSheetRange: boolean
}

/** The formula with every reference on the cells it named before. */
export function mapReferences(formula: string, map: ReferenceMap): MappedFormula {
  const found = { isLost: false, isResized: false, hasSheetRange: false }
  const text = rewriteUnits(
    formula,
    unit => (unit.kind === 'reference' ? mapUnit(unit, map, found) : undefined),
    { isSheet: map.isSheet, isHome: name => map.isOn(undefined) && map.isOn(name) },
  )
  return { text, ...found }
}

type Found = { -readonly [Key in Exclude<keyof MappedFormula, 'text'>]: boolean }

/** Undefined: the unit stays as it is. */
function mapUnit(unit: ReferenceUnit, map: ReferenceMap, found: Found): string | undefined {
  const sheets = unit.context?.sheets
  if (isExternal(unit) || sheets?.length === 0) return undefined
  if (sheets && sheets.length > 1) {
    found.hasSheetRange = true
    return undefined
  }
  if (!map.isOn(sheets?.[0])) return undefined
  const [a, b = a] = unit.corners.map(parseCorner)
  if (!a || !b) return undefined
  const before = cornersBox(a, b)
  const after = map.box(before)
  const { onlyFixed = false } = map
  if (!after) {
    if (onlyFixed && ![a, b].some(own => own.fixedRow || own.fixedColumn)) return undefined
    found.isLost = true
    return '#REF!'
  }
  if (!isSameSize(before, after)) found.isResized = true
  const moved = (corner: Corner) => moveCorner(corner, before, after, onlyFixed)
  return withCorners(unit, moved(a), unit.corners.length === 1 ? undefined : moved(b))
}

function isSameSize(a: Box, b: Box): boolean {
  return a.bottom - a.top === b.bottom - b.top && a.right - a.left === b.right - b.left
}

/** Corners keep their order, their marks and, where they stay, their spelling. */
function moveCorner(corner: Corner, before: Box, after: Box, onlyFixed: boolean): string {
  const { row, column, fixedRow, fixedColumn } = corner
  const toRow = row === before.top ? after.top : after.bottom
  const toColumn = column === before.left ? after.left : after.right
  const keepsRow = row === 0 || (onlyFixed && !fixedRow)
  const keepsColumn = column === 0 || (onlyFixed && !fixedColumn)
  return cornerText(corner, keepsRow ? row : toRow, keepsColumn ? column : toColumn)
}
