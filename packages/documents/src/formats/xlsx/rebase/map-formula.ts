import { cornerText, parseCorner } from '../places/corners.ts'
import {
  contextText,
  isExternal,
  type OtherUnit,
  type ReferenceUnit,
  rewriteUnits,
  textOf,
  type Unit,
  withCorners,
} from '../places/units.ts'

/** Where the corners of references are now. Each answers undefined where nothing proves it. */
export interface CornerMap {
  /** The sheet's name now; undefined as an argument: the formula's own sheet. */
  sheet(name: string): string | undefined
  row(sheet: string | undefined, row: number): number | undefined
  stays(sheet: string | undefined, column: number): boolean
  /** A reference over several rows, or to another row than the formula's. */
  allowsRange(sheet: string | undefined): boolean
  /** Whether a name or a table is still there. */
  keepsName(name: string): boolean
  readonly ownRow: number
}

/** The formula with every reference where its cells are now; undefined if one of them is not proven. */
export function mapFormula(formula: string, map: CornerMap): string | undefined {
  let isProven = true
  const text = rewriteUnits(formula, (unit, index, units) => {
    if (!isProven || unit.kind === 'other' || unit.context?.workbook === '?') {
      isProven &&= unit.kind === 'other'
      return undefined
    }
    const isRange = isColon(units[index - 1]) || isColon(units[index + 1])
    const mapped = isExternal(unit) ? textOf(unit) : mapUnit(unit, map, isRange)
    isProven = mapped !== undefined
    return mapped
  })
  return isProven ? text : undefined
}

function isColon(unit: Unit | undefined): boolean {
  return unit?.kind === 'other' && unit.text === ':'
}

/** Undefined: not proven. */
function mapUnit(
  unit: Exclude<Unit, OtherUnit>,
  map: CornerMap,
  isRange: boolean,
): string | undefined {
  const { context, prefix } = unit
  // `Jan:Mar!A1` means whatever sheets lie between, so a moved one changes it.
  if (context && context.sheets.length > 1) return undefined
  const [sheet] = context?.sheets ?? []
  const now = sheet === undefined ? undefined : map.sheet(sheet)
  if (sheet !== undefined && now === undefined) return undefined
  const shown =
    now === sheet || now === undefined ? prefix : contextText({ ...context!, sheets: [now] })
  const again = unit.kind === 'reference' && unit.again !== '' && now !== sheet ? shown : undefined
  const moved = { ...unit, prefix: shown, ...(again !== undefined && { again }) }
  if (moved.kind === 'reference')
    return context?.sheets.length === 0 ? textOf(moved) : mapCorners(moved, sheet, map, isRange)
  const name = nameOf(moved)
  return name === '' || map.keepsName(name) ? textOf(moved) : undefined
}

/** The name or table that must still be there. */
function nameOf(unit: Exclude<Unit, OtherUnit | ReferenceUnit>): string {
  if (unit.kind === 'structured') return unit.table
  return unit.kind === 'error' ? '' : unit.name
}

function mapCorners(
  unit: ReferenceUnit,
  sheet: string | undefined,
  map: CornerMap,
  isRange: boolean,
): string | undefined {
  const corners = unit.corners.map(corner =>
    mapCorner(corner, sheet, map, isRange || unit.corners.length > 1),
  )
  if (corners.includes(undefined)) return undefined
  return withCorners(unit, corners[0]!, corners[1])
}

function mapCorner(
  text: string,
  sheet: string | undefined,
  map: CornerMap,
  isRange: boolean,
): string | undefined {
  const corner = parseCorner(text)
  if (!corner) return undefined
  const { row, column, fixedRow } = corner
  if (column > 0 && !map.stays(sheet, column)) return undefined
  if (row === 0) return text
  const isOwn = !isRange && !fixedRow && sheet === undefined && row === map.ownRow
  if (!isOwn && !map.allowsRange(sheet)) return undefined
  const to = map.row(sheet, row)
  return to === undefined ? undefined : cornerText(corner, to)
}
