import { type Token, tokenize } from '@borgar/fx/xlsx'
import { parseCell, quoteSheet } from '../cell/address.ts'

/** The sheet, or the two ends of a range of sheets, that a unit names. */
export interface SheetContext {
  /** None: a name of the workbook, as in `[0]!Rate`, or a sheet that is gone, as in `#REF!A1`. */
  readonly sheets: readonly string[]
  /** `[1]` is another workbook, `[0]` this one; `?` cannot be read. */
  readonly workbook: string
}

/** What formulas are about: cells of one sheet or of a range of sheets. */
export interface ReferenceUnit {
  readonly kind: 'reference'
  readonly context: SheetContext | undefined
  /** `Sales!` as it is written; empty without a sheet. */
  readonly prefix: string
  /** `B2`, `$B`, `$2`. */
  readonly corners: readonly [string] | readonly [string, string]
  /** What stands between the corners: `:`, ` : `, `:.`. */
  readonly join: string
  /** The sheet once more before the second corner, as in `Sales!A1:Sales!B2`. */
  readonly again: string
}

interface Qualified {
  readonly context: SheetContext | undefined
  readonly prefix: string
}

/** A defined name, a table without brackets or a variable. */
export interface NameUnit extends Qualified {
  readonly kind: 'name'
  readonly name: string
}

export interface FunctionUnit extends Qualified {
  readonly kind: 'function'
  readonly name: string
}

/** `Sales[Net]`, or `[Net]`, which means the table around the formula. */
export interface StructuredUnit extends Qualified {
  readonly kind: 'structured'
  readonly table: string
  /** With their brackets. */
  readonly brackets: string
}

/** `Sales!#REF!` and any other error. */
export interface ErrorUnit extends Qualified {
  readonly kind: 'error'
  readonly error: string
}

export interface OtherUnit {
  readonly kind: 'other'
  /** As @borgar/fx calls it: `operator`, `whitespace`, `string`, `number` … */
  readonly type: string
  readonly text: string
}

/** A piece of a formula. The texts of all of them are the formula again. */
export type Unit = ReferenceUnit | NameUnit | FunctionUnit | StructuredUnit | ErrorUnit | OtherUnit

/** Settles what the text alone does not. */
export interface WalkOptions {
  /**
   * Whether a sheet has that name: only then is `Q1:Q4!A1` or `Jan:Mar!A1` a range of sheets; otherwise it is one of
   * cells. Absent: it is one of sheets unless the first name alone looks like a cell.
   */
  isSheet?(name: string): boolean
  /** Whether the formula is on that sheet: `A1:Sales!B2` is then one reference. */
  isHome?(name: string): boolean
}

/** The one place where formulas are read for their references. */
export function unitsOf(formula: string, options: WalkOptions = {}): Unit[] {
  const tokens = tokenize(formula, { mergeRefs: false })
  const units: Unit[] = []
  for (let at = 0; at < tokens.length; ) {
    const read = readUnit(tokens, at, options)
    units.push(read.unit)
    at = read.end
  }
  return units
}

/** The formula with some units as other text; undefined keeps a unit as it is. */
export function rewriteUnits(
  formula: string,
  change: (unit: Unit, index: number, units: readonly Unit[]) => string | undefined,
  options?: WalkOptions,
): string {
  const units = unitsOf(formula, options)
  let text = ''
  for (const [index, unit] of units.entries()) text += change(unit, index, units) ?? textOf(unit)
  return text
}

export function textOf(unit: Unit): string {
  switch (unit.kind) {
    case 'reference':
      return withCorners(unit, unit.corners[0], unit.corners[1])
    case 'structured':
      return `${unit.prefix}${unit.table}${unit.brackets}`
    case 'error':
      return `${unit.prefix}${unit.error}`
    case 'other':
      return unit.text
    default:
      return `${unit.prefix}${unit.name}`
  }
}

/** The reference with other corners. */
export function withCorners(
  { prefix, join, again }: ReferenceUnit,
  first: string,
  second: string | undefined,
): string {
  return second === undefined ? prefix + first : prefix + first + join + again + second
}

/** Whether the unit is about another workbook, or about one that cannot be told. */
export function isExternal({ context }: Qualified | ReferenceUnit): boolean {
  return context !== undefined && context.workbook !== '' && context.workbook !== '[0]'
}

/** As Excel writes it, with its mark. */
export function contextText({ workbook, sheets }: SheetContext): string {
  const isPlain = sheets.every(name => quoteSheet(name) === name)
  if (isPlain) return `${workbook}${sheets.join(':')}!`
  return `'${workbook}${sheets.join(':').replaceAll("'", "''")}'!`
}

interface Read {
  readonly unit: Unit
  /** The token after it. */
  readonly end: number
}

interface ReadContext extends Qualified {
  readonly end: number
}

const NO_CONTEXT = { context: undefined, prefix: '' } as const
const UNREADABLE: SheetContext = { sheets: [], workbook: '?' }
const GONE: SheetContext = { sheets: [], workbook: '' }

function readUnit(tokens: readonly Token[], start: number, options: WalkOptions): Read {
  const read = readContext(tokens, start, options)
  const at = read?.end ?? start
  const token = tokens[at]
  const { context, prefix } = read ?? NO_CONTEXT
  // A sheet that names nothing: it still follows a renamed sheet.
  const bare: Unit = { kind: 'name', context, prefix, name: '' }
  if (!token) return { unit: bare, end: at }
  const { type, value } = token
  if (type === 'range' || type === 'range_beam') {
    const isUnreadable = !read && tokens[at - 1]?.value === '!'
    const own = isUnreadable ? UNREADABLE : context
    return readReference(tokens, at, { context: own, prefix }, options)
  }
  if (type === 'range_named' || type === 'structured') {
    const brackets = type === 'structured' ? token : tokens[at + 1]
    if (brackets?.type !== 'structured')
      return { unit: { kind: 'name', context, prefix, name: value }, end: at + 1 }
    const table = type === 'structured' ? '' : value
    return {
      unit: { kind: 'structured', context, prefix, table, brackets: brackets.value },
      end: at + (type === 'structured' ? 1 : 2),
    }
  }
  if (type === 'func')
    return { unit: { kind: 'function', context, prefix, name: value }, end: at + 1 }
  // Excel writes `#REF!A1` in names once the sheet is gone.
  const isLost = type === 'error' && value === '#REF!' && tokens[at + 1]?.type === 'range'
  if (isLost)
    return readReference(tokens, at + 1, { context: GONE, prefix: prefix + value }, options)
  if (type === 'error')
    return { unit: { kind: 'error', context, prefix, error: value }, end: at + 1 }
  if (read) return { unit: bare, end: at }
  return { unit: { kind: 'other', type, text: value }, end: at + 1 }
}

/** A sheet may be called TRUE, and not every writer quotes it. */
const CONTEXTS = new Set(['context', 'context_quote', 'bool'])

function readContext(
  tokens: readonly Token[],
  at: number,
  { isSheet }: WalkOptions,
): ReadContext | undefined {
  const first = tokens[at]!
  if (CONTEXTS.has(first.type) && tokens[at + 1]?.value === '!')
    return { context: parseContext(first), prefix: `${first.value}!`, end: at + 2 }
  const last = tokens[at + 2]
  if (tokens[at + 1]?.value !== ':' || !last || !CONTEXTS.has(last.type)) return undefined
  if (tokens[at + 3]?.value !== '!' || tokens[at - 1]?.value === '!') return undefined
  if (!isFirstSheet(first, last, isSheet)) return undefined
  const { sheets, workbook } = parseContext(first)
  return {
    context: { sheets: [...sheets, ...parseContext(last).sheets], workbook },
    prefix: `${first.value}:${last.value}!`,
    end: at + 4,
  }
}

function isFirstSheet(first: Token, last: Token, isSheet: WalkOptions['isSheet']): boolean {
  if (first.type === 'range_named') return isSheet?.(first.value) ?? true
  if (first.type === 'range')
    return isSheet?.(first.value) ?? parseCell(plainText(last)) !== undefined
  return CONTEXTS.has(first.type)
}

function plainText({ type, value }: Token): string {
  return type === 'context_quote' ? value.slice(1, -1).replaceAll("''", "'") : value
}

function parseContext(token: Token): SheetContext {
  const text = plainText(token)
  const end = text.lastIndexOf(']') + 1
  const names = text.slice(end)
  return { sheets: names === '' ? [] : names.split(':'), workbook: text.slice(0, end) }
}

const BEAM = /^(.*?)(\.?:\.?)(.*)$/
const JOINS = new Set([':', '.:', ':.', '.:.'])

function readReference(
  tokens: readonly Token[],
  at: number,
  { context, prefix }: Qualified,
  { isHome }: WalkOptions,
): Read {
  const kind = 'reference'
  const { type, value } = tokens[at]!
  if (type === 'range_beam') {
    const [, first = value, join = '', second = ''] = BEAM.exec(value) ?? []
    const corners = [first, second] as const
    return { unit: { kind, context, prefix, corners, join, again: '' }, end: at + 1 }
  }
  const colon = afterSpace(tokens, at + 1)
  let next = colon
  let again = ''
  let isRange = JOINS.has(tokens[colon]?.value ?? '')
  if (isRange) {
    next = afterSpace(tokens, colon + 1)
    if (CONTEXTS.has(tokens[next]?.type ?? '') && tokens[next + 1]?.value === '!') {
      isRange = isSameSheet(context, parseContext(tokens[next]!), isHome)
      again = `${tokens[next]!.value}!`
      next += 2
    }
  }
  const second = isRange && tokens[next]?.type === 'range' ? tokens[next] : undefined
  if (!second)
    return { unit: { kind, context, prefix, corners: [value], join: '', again: '' }, end: at + 1 }
  const join = textBetween(tokens, at + 1, again === '' ? next : next - 2)
  const corners = [value, second.value] as const
  return { unit: { kind, context, prefix, corners, join, again }, end: next + 1 }
}

function isSameSheet(
  one: SheetContext | undefined,
  other: SheetContext,
  isHome: WalkOptions['isHome'],
): boolean {
  const [second] = other.sheets
  if (second === undefined || other.sheets.length > 1) return false
  if (!one) return other.workbook === '' && (isHome?.(second) ?? false)
  const [first] = one.sheets
  return (
    one.sheets.length === 1 &&
    one.workbook === other.workbook &&
    first!.toLowerCase() === second.toLowerCase()
  )
}

function afterSpace(tokens: readonly Token[], from: number): number {
  let at = from
  while (tokens[at]?.type === 'whitespace' || tokens[at]?.type === 'newline') at++
  return at
}

function textBetween(tokens: readonly Token[], from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += tokens[at]!.value
  return text
}
