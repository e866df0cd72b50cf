import {
  isExternal,
  type NameUnit,
  rewriteUnits,
  type StructuredUnit,
  textOf,
  type Unit,
  unitsOf,
} from '../places/units.ts'
import { columnsIn, isSameColumn } from './structured-references.ts'

/** A table as a formula names it, with brackets or without. */
function isTable(unit: Unit, table: string): unit is NameUnit | StructuredUnit {
  if (unit.kind !== 'name' && unit.kind !== 'structured') return false
  if (isExternal(unit) || (unit.context && unit.context.sheets.length > 0)) return false
  return (unit.kind === 'name' ? unit.name : unit.table).toLowerCase() === table.toLowerCase()
}

/** `Sales[Net]` and `Sales` with another name for the table. */
export function renameTableIn(formula: string, from: string, to: string): string {
  return rewriteUnits(formula, unit => {
    if (!isTable(unit, from)) return undefined
    return textOf(unit.kind === 'structured' ? { ...unit, table: to } : { ...unit, name: to })
  })
}

/** A reference to a deleted table becomes `#REF!`. */
export function dropTableIn(formula: string, table: string): string {
  if (!formula.toLowerCase().includes(table.toLowerCase())) return formula
  return rewriteUnits(formula, unit => (isTable(unit, table) ? '#REF!' : undefined))
}

/** Whether a formula names the table, or one of these columns of it where they are given. */
export function mentionsTable(
  formula: string,
  table: string,
  columns?: readonly string[],
): boolean {
  return unitsOf(formula).some(unit => {
    if (!isTable(unit, table)) return false
    if (!columns) return true
    if (unit.kind !== 'structured') return false
    const named = columnsIn(unit.brackets.slice(1, -1))
    return named.some(name => columns.some(column => isSameColumn(column, name)))
  })
}

/** `Table[old]`, `Table[[#This Row],[old]]`, `Table[@old]`; without a table, those that name none: `[old]`. */
export function renameColumnIn(
  formula: string,
  table: string | undefined,
  from: string,
  to: string,
): string {
  return rewriteUnits(formula, unit => {
    if (unit.kind !== 'structured' || isExternal(unit)) return undefined
    if (unit.table.toLowerCase() !== (table ?? '').toLowerCase()) return undefined
    const brackets = unit.brackets.replace(/\[@?((?:[^[\]'#@]|'.)+)\]/g, (whole, name: string) => {
      if (!isSameColumn(from, unescapeName(name))) return whole
      return `${whole.slice(0, whole.length - name.length - 1)}${escapeName(to)}]`
    })
    return textOf({ ...unit, brackets })
  })
}

function unescapeName(name: string): string {
  return name.replace(/'(.)/g, '$1')
}

export function escapeName(name: string): string {
  return name.replace(/[[\]#'@]/g, "'$&")
}
