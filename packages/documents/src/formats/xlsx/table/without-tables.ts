import { stringifyTokens, type Token, tokenize } from '@borgar/fx/xlsx'
import { columnName, contains, parseBox } from '../cell/address.ts'
import type { SheetTable } from '../parts/sheet-parts.ts'
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
  const tokens: Token[] = tokenize(formula, { mergeRefs: false })
  for (const [index, token] of tokens.entries()) {
    const isNamed = token.type === 'range_named' && tokens[index - 1]?.value !== '!'
    if (isNamed) {
      const table = tables.find(own => own.name.toLowerCase() === token.value.toLowerCase())
      const brackets = tokens[index + 1]?.type === 'structured' ? tokens[index + 1] : undefined
      const cells = table && rangeOf(table, brackets?.value ?? '[]', at)
      if (cells === undefined) continue
      token.value = `${prefix}${cells}`
      if (brackets) brackets.value = ''
    } else if (token.type === 'structured' && tokens[index - 1]?.type !== 'range_named') {
      const table = tableAround(tables, at)
      const cells = table && rangeOf(table, token.value, at)
      if (table) token.value = cells === undefined ? `${table.name}${token.value}` : prefix + cells
    }
  }
  return stringifyTokens(tokens)
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
