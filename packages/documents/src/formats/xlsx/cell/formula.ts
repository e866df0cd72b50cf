import { stringifyTokens, type Token, tokenize } from '@borgar/fx/xlsx'
import { columnName, columnNumber, MAX_COLUMN, MAX_ROW, quoteSheet } from './address.ts'

/**
 * Formulas without their `=`. They are changed token by token and joined again, so everything else keeps its spelling.
 */

/** A shared or copied formula as it reads that many rows and columns away. */
export function shiftFormula(formula: string, rows: number, columns: number): string {
  if (rows === 0 && columns === 0) return formula
  return edit(formula, tokens => {
    for (const token of tokens)
      if (token.type === 'range' || token.type === 'range_beam' || token.type === 'range_ternary')
        token.value = token.value
          .split(':')
          .map(corner => shiftCorner(corner, rows, columns))
          .join(':')
  })
}

export function renameSheetIn(
  formula: string,
  from: string,
  to: string,
  isSheet: IsSheet = NO_OTHER,
): string {
  if (!mentions(formula, from)) return formula
  return edit(formula, tokens => {
    for (const [index, token] of tokens.entries()) {
      if (!isContext(tokens, index)) continue
      const names = namesOf(tokens, index, name => same(name, from) || isSheet(name))
      if (!names?.some(name => same(name, from))) continue
      const renamed = names.map(name => (same(name, from) ? to : name))
      if (token.type !== 'context_quote' && names.length === 2) blank(tokens, index - 2, index - 1)
      token.value = quoteNames(renamed)
    }
  })
}

/** Whether a sheet has that name: only then is `Q1:Q4!A1` a range of sheets; otherwise it is one of cells. */
export type IsSheet = (name: string) => boolean

const NO_OTHER: IsSheet = () => false

/** A reference to the sheet alone becomes `#REF!`, as in Excel. Undefined when a range of sheets ends at it. */
export function dropSheetIn(
  formula: string,
  sheet: string,
  isSheet: IsSheet = NO_OTHER,
): string | undefined {
  if (!mentions(formula, sheet)) return formula
  let possible = true
  const text = edit(formula, tokens => {
    for (const [index, token] of tokens.entries()) {
      if (!isContext(tokens, index)) continue
      const names = namesOf(tokens, index, name => same(name, sheet) || isSheet(name))
      if (!names?.some(name => same(name, sheet))) continue
      if (names.length === 2) {
        possible = false
        continue
      }
      token.value = '#REF!'
      blank(tokens, index + 1, index + 2)
      if (tokens[index + 3]?.value === ':' && tokens[index + 4]?.type === 'range')
        blank(tokens, index + 3, index + 4)
    }
  })
  return possible ? text : undefined
}

/** A reference to a deleted table becomes `#REF!`. */
export function dropTableIn(formula: string, table: string): string {
  if (!formula.toLowerCase().includes(table.toLowerCase())) return formula
  return edit(formula, tokens => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'range_named' || !same(token.value, table)) continue
      token.value = '#REF!'
      if (tokens[index + 1]?.type === 'structured') blank(tokens, index + 1, index + 1)
    }
  })
}

function edit(formula: string, change: (tokens: Token[]) => void): string {
  const tokens = tokenize(formula, { mergeRefs: false })
  change(tokens)
  return stringifyTokens(tokens)
}

function mentions(formula: string, sheet: string): boolean {
  if (!formula.includes('!')) return false
  return formula.toLowerCase().includes(sheet.replaceAll("'", "''").toLowerCase())
}

/** A sheet may be called TRUE, and not every writer quotes it. */
const CONTEXTS = new Set(['context', 'context_quote', 'bool'])
/** The first sheet of a range of sheets, as in `Jan:Mar!A1` and `2019:2021!A1`. */
const FIRST_SHEETS = new Set(['range_named', 'context', 'bool'])

function isContext(tokens: readonly Token[], index: number): boolean {
  return CONTEXTS.has(tokens[index]!.type) && tokens[index + 1]?.value === '!'
}

/** The sheet or the two ends of a range of sheets; undefined for another workbook. */
function namesOf(tokens: readonly Token[], index: number, isSheet: IsSheet): string[] | undefined {
  const { value, type } = tokens[index]!
  const text = type === 'context_quote' ? value.slice(1, -1).replaceAll("''", "'") : value
  if (text.includes('[')) return undefined
  if (type === 'context_quote') return text.split(':')
  const first = tokens[index - 1]?.value === ':' ? tokens[index - 2] : undefined
  if (first?.type === 'context' && first.value.includes('[')) return undefined
  const isThreeD =
    first && (first.type === 'range' ? isSheet(first.value) : FIRST_SHEETS.has(first.type))
  return isThreeD && tokens[index - 3]?.value !== '!' ? [first.value, text] : text.split(':')
}

function quoteNames(names: readonly string[]): string {
  const [only] = names
  if (names.length === 1) return quoteSheet(only!)
  const isPlain = names.every(name => quoteSheet(name) === name)
  return isPlain ? names.join(':') : `'${names.join(':').replaceAll("'", "''")}'`
}

function blank(tokens: readonly Token[], from: number, to: number): void {
  for (let index = from; index <= to; index++) if (tokens[index]) tokens[index]!.value = ''
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function shiftCorner(corner: string, rows: number, columns: number): string {
  const match = /^(\$?)([A-Za-z]{0,3})(\$?)([0-9]*)$/.exec(corner)
  if (!match) return corner
  const [, columnMark, column, rowMark, row] = match
  // A lone `$` before digits belongs to the row.
  const rowFixed = rowMark || (column ? '' : columnMark)
  const shownColumn =
    column && !columnMark ? columnName(wrap(columnNumber(column) + columns, MAX_COLUMN)) : column
  const shownRow = row && !rowFixed ? String(wrap(Number(row) + rows, MAX_ROW)) : row
  return `${columnMark}${shownColumn}${rowMark}${shownRow}`
}

function wrap(value: number, limit: number): number {
  return ((((value - 1) % limit) + limit) % limit) + 1
}
