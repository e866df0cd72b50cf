import { columnName, contains, parseBox } from '../cell/address.ts'
import type { SheetTable } from '../parts/sheet-parts.ts'
import { isExternal, rewriteUnits } from '../places/units.ts'
import { exactBox } from './structured-references.ts'

interface FormulaCell {
  readonly row: number
  readonly column: number
}

/**
 * A formula for a copy of its sheet, which has the cells of these tables but not the tables: a reference to a table
 * becomes one to its cells, as in Excel when a table becomes a range. A reference that cannot be read keeps its table.
 */
export function withoutTables(
  formula: string,
  tables: readonly SheetTable[],
  options: { readonly at?: FormulaCell; readonly prefix?: string } = {},
): string {
  const { at, prefix = '' } = options
  if (tables.length === 0 || !mentionsAny(formula, tables)) return formula
  return rewriteUnits(formula, unit => {
    if (unit.kind !== 'name' && unit.kind !== 'structured') return undefined
    if (isExternal(unit) || (unit.context && unit.context.sheets.length > 0)) return undefined
    const name = unit.kind === 'name' ? unit.name : unit.table
    const brackets = unit.kind === 'name' ? '[]' : unit.brackets
    const table =
      name === ''
        ? tableAround(tables, at)
        : tables.find(own => own.name.toLowerCase() === name.toLowerCase())
    const cells = table && rangeOf(table, brackets, at)
    if (cells !== undefined) return `${prefix}${cells}`
    return table && name === '' ? `${table.name}${brackets}` : undefined
  })
}

function mentionsAny(formula: string, tables: readonly SheetTable[]): boolean {
  const text = formula.toLowerCase()
  return text.includes('[') || tables.some(({ name }) => text.includes(name.toLowerCase()))
}

/** Without a name, the table is the one around the formula, or the only one. */
function tableAround(
  tables: readonly SheetTable[],
  at: FormulaCell | undefined,
): SheetTable | undefined {
  const around = tables.find(({ ref }) => {
    const box = parseBox(ref)
    return at && box && contains(box, at.row, at.column)
  })
  return around ?? (tables.length === 1 ? tables[0] : undefined)
}

/** `$C$5:$C$8`; `$C7` for the row of the formula, so that it moves with a shared one. */
function rangeOf(
  table: SheetTable,
  brackets: string,
  at: FormulaCell | undefined,
): string | undefined {
  const box = exactBox(table, brackets.slice(1, -1), at?.row ?? 0)
  if (!box) return undefined
  const corner = (row: number, column: number) =>
    `$${columnName(column)}${box.isOwnRow ? '' : '$'}${row}`
  const [first, last] = [corner(box.top, box.left), corner(box.bottom, box.right)]
  return first === last ? first : `${first}:${last}`
}
