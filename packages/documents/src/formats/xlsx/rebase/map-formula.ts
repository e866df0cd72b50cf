import { stringifyTokens, type Token, tokenize } from '@borgar/fx/xlsx'
import { columnNumber, quoteSheet } from '../cell/address.ts'

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
  const tokens = tokenize(formula, { mergeRefs: false })
  let sheet: string | undefined
  let isProven = true
  for (const [index, token] of tokens.entries()) {
    if (isContext(tokens, index)) {
      const mapped = mapContext(token, map)
      isProven &&= mapped !== undefined && !isSheetRange(tokens, index)
      if (!mapped) break
      sheet = mapped.from
      token.value = mapped.text
      continue
    }
    if (token.value === '!') continue
    if (CORNERS.has(token.type)) isProven &&= mapCorners(token, sheet, map, isRange(tokens, index))
    else if (token.type === 'range_ternary') isProven = false
    else if (token.type === 'range_named') isProven &&= map.keepsName(token.value)
    if (token.value !== ':') sheet = staysNamed(tokens, index) ? sheet : undefined
  }
  return isProven ? stringifyTokens(tokens) : undefined
}

const CONTEXTS = new Set(['context', 'context_quote', 'bool'])
const CORNERS = new Set(['range', 'range_beam'])

function isContext(tokens: readonly Token[], index: number): boolean {
  return CONTEXTS.has(tokens[index]!.type) && tokens[index + 1]?.value === '!'
}

/** `Jan:Mar!A1` means whatever sheets lie between, so a moved one changes it. */
function isSheetRange(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.value === ':' && tokens[index - 2]?.type !== 'range'
}

/** The second corner of `Sales!A1:B3` is on the same sheet. */
function staysNamed(tokens: readonly Token[], index: number): boolean {
  return CORNERS.has(tokens[index]!.type) && tokens[index + 1]?.value === ':'
}

function isRange(tokens: readonly Token[], index: number): boolean {
  return tokens[index + 1]?.value === ':' || tokens[index - 1]?.value === ':'
}

function mapContext(
  { type, value }: Token,
  map: CornerMap,
): { readonly from: string; readonly text: string } | undefined {
  const name = type === 'context_quote' ? value.slice(1, -1).replaceAll("''", "'") : value
  if (name.includes('[')) return { from: name, text: value } // another workbook
  if (name.includes(':')) return undefined
  const now = map.sheet(name)
  if (now === undefined) return undefined
  return { from: name, text: now === name ? value : quoteSheet(now) }
}

function mapCorners(
  token: Token,
  sheet: string | undefined,
  map: CornerMap,
  isRange: boolean,
): boolean {
  if (sheet?.includes('[')) return true
  const corners = token.value.split(':').map(corner => mapCorner(corner, sheet, map, isRange))
  if (corners.includes(undefined)) return false
  token.value = corners.join(':')
  return true
}

function mapCorner(
  corner: string,
  sheet: string | undefined,
  map: CornerMap,
  isRange: boolean,
): string | undefined {
  const match = /^(\$?)([A-Za-z]{0,3})(\$?)([0-9]*)$/.exec(corner)
  if (!match) return undefined
  const [, columnMark = '', letters = '', rowMark = '', digits = ''] = match
  if (letters && !map.stays(sheet, columnNumber(letters))) return undefined
  if (!digits) return corner
  const row = Number(digits)
  const isOwn = !isRange && !rowMark && sheet === undefined && row === map.ownRow
  if (!isOwn && !map.allowsRange(sheet)) return undefined
  const to = map.row(sheet, row)
  if (to === undefined) return undefined
  return `${columnMark}${letters}${rowMark}${to}`
}
