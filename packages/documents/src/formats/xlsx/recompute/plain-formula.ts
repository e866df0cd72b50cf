import { parse, type Token, tokenize } from '@borgar/fx/xlsx'
import type { Box } from '@filewright/protocol'
import { MAX_ROW, refName } from '../cell/address.ts'
import { arrayNeed } from '../formula/array-formula.ts'
import { foldDynamic } from '../formula/fold-dynamic.ts'
import { findReferences, type Reference } from '../formula/references.ts'
import { exactBox } from '../table/structured-references.ts'
import { type Call, callsIn } from './calls.ts'
import {
  BRANCHING,
  DATES,
  SIZE_MATTERS,
  SPANNING,
  TAKES_ERRORS,
  uncomputable,
} from './function-kinds.ts'
import type { Surroundings } from './surroundings.ts'

/** A formula as an evaluator takes it: cells and ranges of numbered sheets, and nothing else that has a name. */
export interface PlainFormula {
  readonly text: string
  /** What it reads, as in its anchor. */
  readonly areas: readonly SheetArea[]
  /** What it names without reading it. */
  readonly places: readonly SheetArea[]
  /** Each call with the shape of its arguments. */
  readonly calls: readonly Call[]
  /** It computes only one of its parts. */
  readonly isBranching: boolean
  /** Its result changes with time. */
  readonly isVolatile: boolean
  /** A whole row or column was cut to the cells in use, so an error may be due to that. */
  readonly isClipped: boolean
  /** It may ignore hidden rows and other subtotals. */
  readonly mindsHidden: boolean
}

export interface SheetArea {
  readonly sheet: number
  readonly area: Pick<
    Reference,
    keyof Box | 'fixedTop' | 'fixedLeft' | 'fixedBottom' | 'fixedRight'
  >
}

/** Why a formula cannot be computed: named in a warning. */
export class Uncomputable extends Error {}

export class OtherWorkbook extends Uncomputable {}

export interface FormulaHome {
  readonly sheet: number
  readonly row: number
  readonly column: number
  /** Entered as an array: it computes over ranges. */
  readonly isArray: boolean
}

/** Throws Uncomputable. */
export function toPlainFormula(
  text: string,
  home: FormulaHome,
  around: Surroundings,
): PlainFormula {
  const work: Work = {
    home,
    around,
    areas: [],
    places: [],
    isClipped: false,
    isVolatile: false,
    inside: [],
  }
  const plain = rewritten(text, work)
  const tree = formulaTree(plain)
  const need = arrayNeed(tree)
  if (!home.isArray && need !== undefined)
    throw new Uncomputable('a range where one cell is expected')
  const calls = callsIn(tree)
  const functions = calls.map(({ name }) => name)
  if (around.is1904 && functions.some(name => DATES.has(name)))
    throw new Uncomputable('a date function in a workbook whose dates count from 1904')
  return {
    text: plain,
    areas: work.areas,
    places: work.places,
    calls,
    isBranching: functions.some(name => BRANCHING.has(name)),
    isVolatile: work.isVolatile,
    isClipped: work.isClipped,
    mindsHidden: functions.includes('SUBTOTAL') || functions.includes('AGGREGATE'),
  }
}

interface Work {
  readonly home: FormulaHome
  readonly around: Surroundings
  readonly areas: SheetArea[]
  readonly places: SheetArea[]
  isClipped: boolean
  isVolatile: boolean
  /** The functions around each name that is being replaced by its formula. */
  readonly inside: (readonly string[])[]
}

function rewritten(text: string, work: Work): string {
  const tokens = tokenize(text, { mergeRefs: true })
  let plain = ''
  for (let index = 0; index < tokens.length; index++) {
    if (isSheetOfError(tokens, index)) index += 2
    // a number takes the place of `TODAY()`, a reference that of `INDIRECT("A"&ROW())`
    const end = endOfCall(tokens, index)
    const made =
      clockOf(tokens[index]!, work) ??
      (end > index ? targetOf(tokens, index, end, work) : undefined)
    plain += made ?? plainToken(tokens[index]!, tokens, index, work)
    if (made !== undefined) index = end
  }
  return plain
}

/** `Sales!#REF!` reads as `#REF!`. */
function isSheetOfError(tokens: readonly Token[], index: number): boolean {
  const isSheet = tokens[index]!.type === 'context' || tokens[index]!.type === 'context_quote'
  return isSheet && tokens[index + 1]?.value === '!' && tokens[index + 2]?.type === 'error'
}

/** The position of the parenthesis that closes the call of a function; that of the token for any other. */
function endOfCall(tokens: readonly Token[], index: number): number {
  if (tokens[index]!.type !== 'func') return index
  let depth = 0
  for (let at = index + 1; at < tokens.length; at++) {
    const { type, value } = tokens[at]!
    if (type !== 'operator') continue
    if (value === '(') depth++
    if (value === ')' && --depth === 0) return at
  }
  return tokens.length - 1
}

/** The cells that INDIRECT or OFFSET mean by their place alone, whatever any cell holds. */
function targetOf(
  tokens: readonly Token[],
  index: number,
  end: number,
  work: Work,
): string | undefined {
  if (!/^(INDIRECT|OFFSET)$/i.test(tokens[index]!.value)) return undefined
  const { home, around } = work
  const text = tokens.slice(index, end + 1).map(({ value }) => value)
  const areas = foldDynamic(text.join(''), {
    ...home,
    sheetNamed: name => around.sheetsOf([name])?.[0],
    valueAt: () => undefined,
  })
  const [area] = areas ?? []
  return area && areas!.length === 1 ? fixed(area.sheet, area, work) : undefined
}

/** The time of the call stands for now, so that the same log gives the same values. */
function clockOf({ type, value }: Token, work: Work): string | undefined {
  const name = type === 'func' ? value.toUpperCase() : ''
  if (name !== 'TODAY' && name !== 'NOW') return undefined
  work.isVolatile = true
  const { now } = work.around
  if (now === undefined) throw new Uncomputable(name)
  return `(${name === 'NOW' ? now : Math.floor(now)})`
}

function plainToken(token: Token, tokens: readonly Token[], index: number, work: Work): string {
  const { type, value } = token
  if (type === 'func') return plainFunction(value)
  if (type === 'range') return plainRange(value, openFunctions(tokens, index)[0] ?? '', work)
  if (type === 'range_beam') return plainBeam(value, openFunctions(tokens, index), work)
  if (type === 'range_named') return plainName(value, openFunctions(tokens, index), work)
  if (type === 'structured') return plainStructured(value, work)
  if (type === 'number') return String(Number(value))
  if (type === 'whitespace') return ' '
  if (type === 'error') return value
  if (type === 'operator' && value !== '#' && value !== '@') return value
  if (type === 'string' || type === 'bool') return value
  if (value.includes('#REF!')) throw new Uncomputable('a reference to deleted cells (#REF!)')
  throw new Uncomputable(JSON.stringify(value))
}

function plainFunction(written: string): string {
  const name = written.replace(/^_xlfn\.(_xlws\.)?/i, '').toUpperCase()
  const problem = uncomputable(name)
  if (problem !== undefined) throw new Uncomputable(problem)
  return name
}

/** The functions whose arguments the token is among, from the innermost; '' for a mere parenthesis. */
function openFunctions(tokens: readonly Token[], index: number): string[] {
  const found: string[] = []
  let depth = 0
  for (let at = index - 1; at >= 0; at--) {
    const { value, type } = tokens[at]!
    if (type !== 'operator') continue
    if (value === ')') depth++
    if (value !== '(') continue
    if (depth > 0) depth--
    else found.push(tokens[at - 1]?.type === 'func' ? tokens[at - 1]!.value.toUpperCase() : '')
  }
  return found
}

function plainRange(value: string, inside: string, work: Work): string {
  if (value.includes('[')) throw new OtherWorkbook(`a link to another workbook (${value})`)
  const { areas } = findReferences(value)
  const [area] = areas
  if (areas.length !== 1 || !area) throw new Uncomputable(`the reference ${value}`)
  const range = value.slice(value.lastIndexOf('!') + 1)
  if (!area.sheets) {
    // of its own row or column a formula may ask without reading itself
    const list = ABOUT_PLACES.has(inside) ? work.places : work.areas
    list.push({ sheet: work.home.sheet, area })
    return range
  }
  const ids = work.around.sheetsOf(area.sheets)
  if (!ids) throw new Uncomputable(`the reference ${value}`)
  if (ids.length > 1 && !SPANNING.has(inside))
    throw new Uncomputable(`a range of sheets (${value})`)
  for (const sheet of ids) work.areas.push({ sheet, area })
  return ids.map(id => `S${id}!${range}`).join(',')
}

/** They look at where a reference is, and not at what the cells hold. */
const ABOUT_PLACES = new Set(['ROW', 'COLUMN', 'ROWS', 'COLUMNS'])

/** Whole rows and columns end at the last cell in use. */
function plainBeam(value: string, around: readonly string[], work: Work): string {
  const { areas } = findReferences(value)
  const [area] = areas
  if (areas.length !== 1 || !area) throw new Uncomputable(`the reference ${value}`)
  const place = area.sheets ? undefined : placeOfBeam(area, around[0] ?? '')
  if (place) return place
  const names = [...around, ...work.inside.flat()]
  // beyond the cells in use INDEX gives an error here, which is no result unless another function takes it
  const outside = names.slice(names.lastIndexOf('INDEX') + 1)
  const isIndex = names.includes('INDEX') && !outside.some(name => TAKES_ERRORS.has(name))
  const minds = names.find(name => SIZE_MATTERS.has(name) && !(isIndex && name === 'INDEX'))
  if (minds !== undefined) throw new Uncomputable(`${minds} over a whole row or column`)
  const ids = area.sheets ? work.around.sheetsOf(area.sheets) : [work.home.sheet]
  const [sheet] = ids ?? []
  if (sheet === undefined || ids!.length > 1) throw new Uncomputable(`the reference ${value}`)
  const extent = work.around.extentOf(sheet)
  const box =
    area.bottom === MAX_ROW
      ? { ...area, bottom: Math.max(extent.rows, area.top) }
      : { ...area, right: Math.max(extent.columns, area.left) }
  work.isClipped = true
  return fixed(sheet, box, work)
}

/** Where whole rows or columns are asked for their place or number only, their first cells stand for them. */
function placeOfBeam({ top, bottom, left, right }: Box, inside: string): string | undefined {
  const isColumns = bottom === MAX_ROW && /^COLUMNS?$/.test(inside)
  const isRows = bottom !== MAX_ROW && /^ROWS?$/.test(inside)
  if (!isColumns && !isRows) return undefined
  const box = isColumns ? { top: 1, bottom: 1, left, right } : { top, bottom, left: 1, right: 1 }
  return absolute(box)
}

function absolute(box: Box): string {
  return refName(box).replace(/([A-Z]+)(\d+)/g, '$$$1$$$2')
}

/** An area with an address that does not move. */
function fixed(sheet: number, box: Box, work: Work): string {
  const isFixed = { fixedTop: true, fixedLeft: true, fixedBottom: true, fixedRight: true }
  const { top, left, bottom, right } = box
  work.areas.push({ sheet, area: { top, left, bottom, right, ...isFixed } })
  const range = absolute(box)
  return sheet === work.home.sheet ? range : `S${sheet}!${range}`
}

const MAX_NAMES = 8 // of one formula, each inside the one before

function plainName(value: string, around: readonly string[], work: Work): string {
  const name = value.slice(value.lastIndexOf('!') + 1)
  const table = work.around.table(name)
  const box = table && exactBox(table.table, '', work.home.row)
  if (table && box) return fixed(table.sheet, box, work)
  const text = work.around.nameText(name, value.includes('!') ? undefined : work.home.sheet)
  if (text === undefined || work.inside.length >= MAX_NAMES)
    throw new Uncomputable(`the name ${value}`)
  const { areas, structured, isDynamic } = findReferences(text)
  const moves = areas.some(
    own => !own.sheets || !own.fixedTop || !own.fixedLeft || !own.fixedBottom || !own.fixedRight,
  )
  if (moves || isDynamic || structured.some(own => own.table === ''))
    throw new Uncomputable(`the name ${value}`)
  work.inside.push(around)
  const plain = rewritten(text.replace(/^=/, ''), work)
  work.inside.pop()
  return /^[\w!$:.]+$|^"[^"]*"$/.test(plain) ? plain : `(${plain})`
}

function plainStructured(value: string, work: Work): string {
  const open = value.indexOf('[')
  const { sheet, row, column } = work.home
  const around = work.around
  const name = value.slice(0, open)
  const own = name === '' ? around.tableAround(sheet, row, column) : around.table(name)
  const box = own && exactBox(own.table, value.slice(open + 1, -1), row)
  if (!own || !box) throw new Uncomputable(`the reference ${value}`)
  return fixed(own.sheet, box, work)
}

/** Throws Uncomputable. */
export function formulaTree(text: string): unknown {
  try {
    return parse(tokenize(text, { mergeRefs: true }))
  } catch {
    throw new Uncomputable('a formula that cannot be read')
  }
}
