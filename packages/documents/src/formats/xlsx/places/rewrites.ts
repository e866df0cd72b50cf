import { MAX_COLUMN, MAX_ROW, quoteSheet } from '../cell/address.ts'
import { cornerText, parseCorner } from './corners.ts'
import {
  contextText,
  isExternal,
  rewriteUnits,
  type SheetContext,
  textOf,
  type Unit,
  unitsOf,
  type WalkOptions,
  withCorners,
} from './units.ts'

/** Formulas without their `=`, of which everything but the pieces concerned keeps its spelling. */

/** A shared or copied formula as it reads that many rows and columns away. */
export function shiftFormula(formula: string, rows: number, columns: number): string {
  if (rows === 0 && columns === 0) return formula
  if (lastShifted.formula !== formula) lastShifted = { formula, units: unitsOf(formula) }
  let text = ''
  for (const unit of lastShifted.units) {
    if (unit.kind !== 'reference') text += textOf(unit)
    else {
      const [first, second] = unit.corners
      text += withCorners(
        unit,
        shiftCorner(first, rows, columns),
        second === undefined ? undefined : shiftCorner(second, rows, columns),
      )
    }
  }
  return text
}

/** A shared formula is read once, and then shifted for each of its cells. */
let lastShifted: { readonly formula: string; readonly units: readonly Unit[] } = {
  formula: '',
  units: [],
}

function shiftCorner(text: string, rows: number, columns: number): string {
  const corner = parseCorner(text)
  if (!corner) return text
  const { row, column, fixedRow, fixedColumn } = corner
  return cornerText(
    corner,
    row === 0 || fixedRow ? row : wrap(row + rows, MAX_ROW),
    column === 0 || fixedColumn ? column : wrap(column + columns, MAX_COLUMN),
  )
}

/** Beyond the last row the first follows, as in Excel. */
function wrap(value: number, limit: number): number {
  return ((((value - 1) % limit) + limit) % limit) + 1
}

/** Whether a sheet has that name. */
export type IsSheet = (name: string) => boolean

export function renameSheetIn(
  formula: string,
  from: string,
  to: string,
  isSheet?: IsSheet,
): string {
  if (!mentions(formula, from)) return formula
  const rename = (context: SheetContext) =>
    contextText({ ...context, sheets: context.sheets.map(name => (same(name, from) ? to : name)) })
  return rewriteUnits(
    formula,
    unit => {
      if (!isOn(unit, from)) return undefined
      const prefix = rename(unit.context!)
      if (unit.kind !== 'reference') return textOf({ ...unit, prefix })
      return textOf({ ...unit, prefix, again: unit.again === '' ? '' : prefix })
    },
    besides(from, isSheet),
  )
}

/** A reference to the sheet alone becomes `#REF!`, as in Excel. Undefined when a range of sheets ends at it. */
export function dropSheetIn(formula: string, sheet: string, isSheet?: IsSheet): string | undefined {
  if (!mentions(formula, sheet)) return formula
  let possible = true
  const text = rewriteUnits(
    formula,
    unit => {
      if (!isOn(unit, sheet)) return undefined
      if (unit.context!.sheets.length > 1) possible = false
      return unit.kind === 'function' ? unit.name : '#REF!'
    },
    besides(sheet, isSheet),
  )
  return possible ? text : undefined
}

/** The sheet may have its new name already, or be gone. */
function besides(sheet: string, isSheet: IsSheet | undefined): WalkOptions {
  return isSheet ? { isSheet: name => same(name, sheet) || isSheet(name) } : {}
}

type Qualified = Exclude<Unit, { readonly kind: 'other' }>

/** Whether the unit names the sheet, alone or as the end of a range of sheets. */
function isOn(unit: Unit, sheet: string): unit is Qualified {
  if (unit.kind === 'other' || !unit.context || isExternal(unit)) return false
  return unit.context.sheets.some(name => same(name, sheet))
}

function mentions(formula: string, sheet: string): boolean {
  if (!formula.includes('!')) return false
  return formula.toLowerCase().includes(sheet.replaceAll("'", "''").toLowerCase())
}

/** References without $ get them: what reads them moves them otherwise. One that has some stays as it is. */
export function fixReferences(formula: string, sheet: string | undefined): string {
  if (formula.includes('$')) return formula
  return rewriteUnits(formula, unit => {
    if (unit.kind !== 'reference') return undefined
    const [first, second] = unit.corners
    const fixed = (text: string) => text.toUpperCase().replace(/([A-Z]+)|(\d+)/g, '$$$&')
    const prefix = unit.prefix === '' && sheet !== undefined ? `${quoteSheet(sheet)}!` : unit.prefix
    return withCorners({ ...unit, prefix }, fixed(first), second && fixed(second))
  })
}

/** A defined name as a formula uses it. */
export interface UsedName {
  readonly name: string
  /** As a function: it may be one of the program instead. */
  readonly isCalled: boolean
  /** The sheet it is qualified with. */
  readonly sheet: string | undefined
}

/** The names with other spellings; undefined keeps one. */
export function renameNamesIn(
  formula: string,
  rename: (used: UsedName) => string | undefined,
): string {
  return rewriteUnits(formula, unit => {
    if ((unit.kind !== 'name' && unit.kind !== 'function') || isExternal(unit)) return undefined
    const isCalled = unit.kind === 'function'
    const name = rename({ name: unit.name, isCalled, sheet: unit.context?.sheets[0] })
    return name === undefined ? undefined : textOf({ ...unit, name })
  })
}

/** The sheets that a formula names, other workbooks' left out. */
export function sheetsIn(formula: string, isSheet: IsSheet): string[] {
  const names = unitsOf(formula, { isSheet }).flatMap(unit =>
    unit.kind === 'other' || isExternal(unit) ? [] : (unit.context?.sheets ?? []),
  )
  return [...new Set(names)]
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
