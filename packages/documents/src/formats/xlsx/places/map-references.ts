import type { Box } from '@filewright/protocol'
import { type Corner, cornersBox, cornerText, parseCorner } from './corners.ts'
import { GONE, UNKNOWN, type Whereabouts } from './place-step.ts'
import {
  contextText,
  isExternal,
  type ReferenceUnit,
  rewriteUnits,
  textOf,
  type Unit,
  withCorners,
} from './units.ts'

/** Where what a formula names is once cells moved. */
export interface ReferenceMap {
  /** Whether something may have become of the cells of that sheet; undefined: the reference names no sheet. */
  isOn(sheet: string | undefined): boolean
  /** Whether the formula is on that sheet; absent: it is, where `isOn` says so of both. */
  isHome?(sheet: string): boolean
  box(box: Box, sheet: string | undefined): Whereabouts<Box>
  /** The name of the sheet afterwards; absent: it keeps it. */
  sheet?(name: string): Whereabouts<string>
  /** The same for a defined name. */
  name?(name: string): Whereabouts<string>
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
  /** Nothing proves where one of its references is: it stays as it is. */
  readonly isUnknown: boolean
}

/** The formula with every reference on the cells it named before. */
export function mapReferences(formula: string, map: ReferenceMap): MappedFormula {
  const noted = { isLost: false, isResized: false, hasSheetRange: false, isUnknown: false }
  const text = rewriteUnits(
    formula,
    unit => (unit.kind === 'reference' ? mapUnit(unit, map, noted) : mapNamed(unit, map, noted)),
    {
      isSheet: map.isSheet,
      isHome: name => map.isHome?.(name) ?? (map.isOn(undefined) && map.isOn(name)),
    },
  )
  return { text, ...noted }
}

type Noted = { -readonly [Key in Exclude<keyof MappedFormula, 'text'>]: boolean }

/** Undefined: the unit stays as it is. */
function mapUnit(unit: ReferenceUnit, map: ReferenceMap, noted: Noted): string | undefined {
  const sheets = unit.context?.sheets
  if (isExternal(unit) || sheets?.length === 0) return undefined
  if (sheets && sheets.length > 1) {
    noted.hasSheetRange = true
    return undefined
  }
  const [sheet] = sheets ?? []
  if (!map.isOn(sheet)) return undefined
  const [a, b = a] = unit.corners.map(parseCorner)
  if (!a || !b) return undefined
  const before = cornersBox(a, b)
  const after = map.box(before, sheet)
  const { onlyFixed = false } = map
  if (after === UNKNOWN) {
    noted.isUnknown = true
    return undefined
  }
  if (after === GONE) {
    if (onlyFixed && ![a, b].some(own => own.fixedRow || own.fixedColumn)) return undefined
    noted.isLost = true
    return '#REF!'
  }
  if (!isSameSize(before, after)) noted.isResized = true
  const moved = (corner: Corner) => moveCorner(corner, before, after, onlyFixed)
  return withCorners(
    named(unit, sheet, map),
    moved(a),
    unit.corners.length === 1 ? undefined : moved(b),
  )
}

/** With the name that its sheet has now. */
function named(unit: ReferenceUnit, sheet: string | undefined, map: ReferenceMap): ReferenceUnit {
  const name = sheet === undefined ? undefined : map.sheet?.(sheet)
  if (typeof name !== 'string' || name === sheet) return unit
  const prefix = contextText({ ...unit.context!, sheets: [name] })
  return { ...unit, prefix, again: unit.again === '' ? '' : prefix }
}

/** What names a sheet, or is a name, but no cells. */
function mapNamed(
  unit: Exclude<Unit, ReferenceUnit>,
  map: ReferenceMap,
  noted: Noted,
): string | undefined {
  if (unit.kind === 'other' || isExternal(unit)) return undefined
  const [sheet, last] = unit.context?.sheets ?? []
  if (last !== undefined) noted.hasSheetRange ||= map.sheet !== undefined
  else if (sheet !== undefined) {
    const name = map.sheet?.(sheet) ?? sheet
    if (name === sheet) return undefined
    const prefix = typeof name === 'string' ? contextText({ ...unit.context!, sheets: [name] }) : ''
    return lostOr(name, noted, textOf({ ...unit, prefix }))
  } else if (unit.kind === 'name' || unit.kind === 'function') {
    const name = map.name?.(unit.name) ?? unit.name
    return name === unit.name
      ? undefined
      : lostOr(name, noted, textOf({ ...unit, name: String(name) }))
  }
  return undefined
}

function lostOr(found: Whereabouts<string>, noted: Noted, text: string): string | undefined {
  if (found === UNKNOWN) noted.isUnknown = true
  if (found === GONE) noted.isLost = true
  return found === UNKNOWN ? undefined : found === GONE ? '#REF!' : text
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
