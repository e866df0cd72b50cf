import { stringifyTokens, type Token, tokenize } from '@borgar/fx/xlsx'
import type { Box } from '@filewright/protocol'
import { columnName, columnNumber, MAX_COLUMN, MAX_ROW } from '../cell/address.ts'

/** Where a box that a formula names is once cells moved. */
export interface ReferenceMap {
  /** Whether a reference is on the sheet whose cells moved; undefined: it names no sheet. */
  isOn(sheet: string | undefined): boolean
  /** Undefined: none of its cells is left. */
  box(box: Box): Box | undefined
  /** Relative corners stay as they are: in a defined name they mean a distance. */
  readonly onlyFixed?: boolean
  /** Whether a sheet has that name: only then is `Q1:Q4!A1` a range of sheets. */
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

const CONTEXTS = new Set(['context', 'context_quote', 'bool'])
const FIRST_SHEETS = new Set(['range_named', 'context', 'bool', 'range'])

/** The formula with every reference on the cells it named before. Its tokens are edited and joined, never written anew. */
export function mapReferences(formula: string, map: ReferenceMap): MappedFormula {
  const tokens = tokenize(formula, { mergeRefs: false })
  const walk = { tokens, map, isLost: false, isResized: false, hasSheetRange: false }
  let changed = false
  for (let index = 0; index < tokens.length; index++) {
    const { type } = tokens[index]!
    if (type !== 'range' && type !== 'range_beam') continue
    const unit = readUnit(walk, index)
    if (unit && mapUnit(walk, unit)) changed = true
    index = unit?.end ?? index
  }
  const { isLost, isResized, hasSheetRange } = walk
  return { text: changed ? stringifyTokens(tokens) : formula, isLost, isResized, hasSheetRange }
}

interface Walk {
  readonly tokens: Token[]
  readonly map: ReferenceMap
  isLost: boolean
  isResized: boolean
  hasSheetRange: boolean
}

/** One reference: its first token (the sheet, if it names one), its corners, its last token. */
interface Unit {
  readonly start: number
  readonly corners: readonly number[]
  readonly end: number
}

/** Undefined: the reference is not on the sheet. */
function readUnit(walk: Walk, index: number): Unit | undefined {
  const { tokens, map } = walk
  const isNamed = tokens[index - 1]?.value === '!' && CONTEXTS.has(tokens[index - 2]?.type ?? '')
  const second = secondCorner(tokens, index)
  const end = second ?? index
  const corners = second === undefined ? [index] : [index, second]
  if (!isNamed) return map.isOn(undefined) ? { start: index, corners, end } : skipped(end)
  const name = nameOf(tokens[index - 2]!)
  if (isSheetRange(walk, index - 2, name)) {
    walk.hasSheetRange = true
    return skipped(end)
  }
  return map.isOn(name) ? { start: index - 2, corners, end } : skipped(end)
}

function skipped(end: number): Unit {
  return { start: end, corners: [], end }
}

/** The token of the opposite corner in `A1:B2`, `A1 : B2` and `Sales!A1:Sales!B2`. */
function secondCorner(tokens: readonly Token[], index: number): number | undefined {
  if (tokens[index]!.type !== 'range') return undefined
  let at = afterSpace(tokens, index + 1)
  if (tokens[at]?.value !== ':') return undefined
  at = afterSpace(tokens, at + 1)
  if (CONTEXTS.has(tokens[at]?.type ?? '') && tokens[at + 1]?.value === '!') {
    const own = tokens[index - 1]?.value === '!' ? tokens[index - 2] : undefined
    if (!own || nameOf(own).toLowerCase() !== nameOf(tokens[at]!).toLowerCase()) return undefined
    at += 2
  }
  return tokens[at]?.type === 'range' ? at : undefined
}

function afterSpace(tokens: readonly Token[], from: number): number {
  let at = from
  while (tokens[at]?.type === 'whitespace') at++
  return at
}

function nameOf({ type, value }: Token): string {
  return (type === 'context_quote' ? value.slice(1, -1).replaceAll("''", "'") : value).replace(
    /^\[0\]/,
    '',
  )
}

function isSheetRange({ tokens, map }: Walk, at: number, name: string): boolean {
  if (name.includes('[')) return false
  if (name.includes(':')) return true
  const first = tokens[at - 1]?.value === ':' ? tokens[at - 2] : undefined
  if (!first || !FIRST_SHEETS.has(first.type) || tokens[at - 3]?.value === '!') return false
  return first.type !== 'range' || map.isSheet(first.value)
}

/** Whether a token changed. */
function mapUnit(walk: Walk, { start, corners, end }: Unit): boolean {
  if (corners.length === 0) return false
  const { tokens, map } = walk
  const texts = corners.flatMap(at => tokens[at]!.value.split(':'))
  const read = texts.map(readCorner)
  const [a, b = a] = read
  if (!a || !b || read.includes(undefined)) return false
  const before = toBox(a, b)
  const after = map.box(before)
  if (!after) {
    if (map.onlyFixed && !read.some(own => own?.fixedRow || own?.fixedColumn)) return false
    walk.isLost = true
    for (let at = start; at <= end; at++) tokens[at]!.value = at === start ? '#REF!' : ''
    return true
  }
  const written = texts.map((text, own) =>
    moveCorner(text, read[own]!, before, after, map.onlyFixed ?? false),
  )
  if (!isSameSize(before, after)) walk.isResized = true
  const isBeam = tokens[corners[0]!]!.type === 'range_beam'
  const values = isBeam ? [written.join(':')] : written
  let changed = false
  for (const [own, at] of corners.entries()) {
    if (tokens[at]!.value === values[own]) continue
    tokens[at]!.value = values[own]!
    changed = true
  }
  return changed
}

interface Corner {
  /** 0: the corner of whole columns. */
  readonly row: number
  readonly column: number
  readonly fixedRow: boolean
  readonly fixedColumn: boolean
}

const CORNER = /^(\$?)([A-Za-z]{0,3})(\$?)([0-9]*)$/

function readCorner(text: string): Corner | undefined {
  const match = CORNER.exec(text)
  if (!match) return undefined
  const [, mark, letters = '', rowMark, digits = ''] = match
  return {
    row: digits ? Number(digits) : 0,
    column: letters ? columnNumber(letters) : 0,
    // A lone `$` before digits belongs to the row.
    fixedRow: Boolean(letters ? rowMark : mark || rowMark),
    fixedColumn: Boolean(letters && mark),
  }
}

function toBox(a: Corner, b: Corner): Box {
  return {
    top: a.row === 0 ? 1 : Math.min(a.row, b.row),
    bottom: a.row === 0 ? MAX_ROW : Math.max(a.row, b.row),
    left: a.column === 0 ? 1 : Math.min(a.column, b.column),
    right: a.column === 0 ? MAX_COLUMN : Math.max(a.column, b.column),
  }
}

function isSameSize(a: Box, b: Box): boolean {
  return a.bottom - a.top === b.bottom - b.top && a.right - a.left === b.right - b.left
}

/** Corners keep their order, their marks and, where they stay, their spelling. */
function moveCorner(
  text: string,
  { row, column, fixedRow, fixedColumn }: Corner,
  before: Box,
  after: Box,
  onlyFixed: boolean,
): string {
  const [, mark, letters, rowMark] = CORNER.exec(text)!
  const toRow = row === before.top ? after.top : after.bottom
  const toColumn = column === before.left ? after.left : after.right
  const keepsRow = row === 0 || row === toRow || (onlyFixed && !fixedRow)
  const keepsColumn = column === 0 || column === toColumn || (onlyFixed && !fixedColumn)
  const shownColumn = keepsColumn ? letters : columnName(toColumn)
  const shownRow = row === 0 ? '' : String(keepsRow ? row : toRow)
  return `${mark}${shownColumn}${rowMark}${shownRow}`
}
