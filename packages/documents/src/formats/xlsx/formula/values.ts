import { parse, type Token, tokenize } from '@borgar/fx/xlsx'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { contains, parseBox } from '../cell/address.ts'
import { type CellContent, type CellFormula, serialOfDate, type TextRun } from '../cell/cells.ts'
import { findUnholdable } from '../cell/unholdable.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { sheetsIn } from '../places/rewrites.ts'
import { rewriteUnits, textOf, type Unit, unitsOf } from '../places/units.ts'
import { columnsIn } from '../table/structured-references.ts'
import { arrayNeed } from './array-formula.ts'
import { englishFormula } from './english-formula.ts'
import { callsUnknown, isKnownFunction } from './known-functions.ts'
import { storedFormula } from './stored-formula.ts'

/** A value from an operation, ready for a cell. */
export interface CellInput {
  /** Null clears the cell. */
  readonly content: CellContent | null
  readonly formula?: CellFormula
  /** The number format that a date adds where the cell has none. */
  readonly pattern?: string
  /** Sheets that the formula names. */
  readonly sheets?: readonly string[]
  /** Table columns that the formula names; their existence is checked when it is written. */
  readonly columns?: readonly NamedColumn[]
  /** It computes over ranges: to one value, or to as many as fill the cells next to it. */
  readonly array?: 'one' | 'many'
  readonly hint?:
    | 'looks-like-formula'
    | 'looks-like-number'
    | 'looks-like-date'
    | 'looks-like-truth'
    | 'loses-digits'
    | 'unknown-function'
    | 'empty-text'
}

/** The cell that receives a value. */
export interface ValuePlace {
  readonly sheet: Sheet
  readonly row: number
  readonly column: number
}

export interface NamedColumn {
  readonly table: string
  readonly column: string
  /** The formula that names it, for an error message. */
  readonly formula: string
}

/** A formula as a program in another language shows it, with the one to write. */
export interface ForeignFormula {
  readonly problem: string
  readonly english: string
}

export function isForeign(parsed: CellInput | ForeignFormula): parsed is ForeignFormula {
  return 'english' in parsed
}

const MAX_TEXT = 32_767 // Excel's limit of characters in a cell
const MAX_FORMULA = 8_192 // Excel's limit of characters in a formula
const MAX_FORMULA_TEXT = 255 // and in a string inside a formula
export const ERROR_VALUES = [
  '#NULL!',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#N/A',
  '#GETTING_DATA',
  '#SPILL!',
  '#CALC!',
]

/** A string describes the problem with the value. */
export function parseValue(
  book: Book,
  value: unknown,
  asFormulas: boolean,
  at?: ValuePlace,
): CellInput | ForeignFormula | string {
  if (value === null || value === undefined) return { content: null }
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? { content: { type: 'number', value }, ...(losesDigits(value) && { hint: 'loses-digits' }) }
      : 'a number must be finite'
  if (typeof value === 'boolean') return { content: { type: 'boolean', value } }
  if (typeof value === 'string') return parseText(book, value, asFormulas, at)
  if (typeof value !== 'object' || Array.isArray(value)) return WANTED
  return parseTyped(book, value as Record<string, unknown>, at)
}

/** Most likely an identifier: a number in the file format has 15 significant digits. */
function losesDigits(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21
}

const WANTED =
  'a value is a number, text, true, false, null (clears), {"date": "2026-01-31"}, {"formula": "SUM(A1:A3)"}, {"error": "#N/A"}, {"text": "…"} or {"rich_text": [{"text": "…", "bold": true}]}'

function parseText(
  book: Book,
  text: string,
  asFormulas: boolean,
  at?: ValuePlace,
): CellInput | ForeignFormula | string {
  if (text.startsWith('=') && text.length > 1 && asFormulas) return parseFormula(book, text, at)
  return toText(text)
}

function toText(text: string): CellInput | string {
  if (text.length > MAX_TEXT)
    return `text has at most ${MAX_TEXT} characters, and this has ${text.length}`
  const hint = hintOf(text)
  return { content: { type: 'text', value: text }, ...(hint && { hint }) }
}

/** Accepts thousands separators, a currency, a percent sign or brackets, in the common forms. */
const NUMBER =
  /^[-+(]?\s?\p{Sc}?\s?-?(\d+([.,]\d+)?|\d{1,3}([.,' ]\d{3})+([.,]\d+)?)\s?(%|\p{Sc})?\)?$/u
const DATE = /^(\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?|\d{1,2}([./-])\d{1,2}\4\d{4})$/

/** A code such as `007` is text; anything else that reads as a value may have been meant as one. */
function hintOf(text: string): CellInput['hint'] {
  if (text === '') return 'empty-text'
  if (/^=./.test(text)) return 'looks-like-formula'
  if (NUMBER.test(text) && !/^[-+]?0\d/.test(text)) return 'looks-like-number'
  if (/^(true|false)$/i.test(text)) return 'looks-like-truth'
  return DATE.test(text) ? 'looks-like-date' : undefined
}

function parseTyped(
  book: Book,
  value: Record<string, unknown>,
  at: ValuePlace | undefined,
): CellInput | ForeignFormula | string {
  const keys = Object.keys(value)
  const [key] = keys
  if (keys.length !== 1 || key === undefined) return WANTED
  const own = value[key]
  if (key === 'formula' && typeof own === 'string') return parseFormula(book, own, at)
  if (key === 'text' && typeof own === 'string') {
    const text = toText(own)
    return typeof text === 'string' ? text : { content: text.content }
  }
  if (key === 'number' && typeof own === 'number') return parseValue(book, own, false)
  if (key === 'boolean' && typeof own === 'boolean') return parseValue(book, own, false)
  if (key === 'date' && typeof own === 'string') return parseDate(book, own)
  if (key === 'error' && typeof own === 'string')
    return ERROR_VALUES.includes(own.toUpperCase())
      ? { content: { type: 'error', value: own.toUpperCase() } }
      : `an error value is one of ${ERROR_VALUES.join(', ')}`
  if ((key === 'rich_text' || key === 'richText') && Array.isArray(own)) return parseRuns(own)
  return WANTED
}

function parseDate(book: Book, text: string): CellInput | string {
  const serial = serialOfDate(text, book.part.is1904)
  const hasDay = /^\d{4}-/.test(text.trim())
  const isDayZero = hasDay && !book.part.is1904 && serial !== undefined && serial < 1
  if (serial === undefined || isDayZero)
    return `the date ${JSON.stringify(text)} is not of the form 2026-01-31 or 2026-01-31T08:30, does not exist, or is before ${book.part.is1904 ? '1904' : '1900'}`
  const hasTime = serial % 1 !== 0
  const pattern = hasDay ? (hasTime ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd') : 'hh:mm:ss'
  return { content: { type: 'number', value: serial }, pattern }
}

function parseRuns(runs: readonly unknown[]): CellInput | string {
  const parsed: TextRun[] = []
  for (const run of runs) {
    if (typeof run !== 'object' || run === null || typeof (run as TextRun).text !== 'string')
      return 'each run of rich_text is {"text": "…"} with bold, italic, underline (true) or color ("FF0000")'
    const { text, bold, italic, underline, color, ...others } = run as TextRun
    const [strange] = Object.keys(others)
    if (strange !== undefined)
      return `a run of rich_text has no ${JSON.stringify(strange)}; it has text, bold, italic, underline and color`
    if (color !== undefined && !/^[0-9A-Fa-f]{6}$/.test(color))
      return 'a color is six hex digits, such as FF0000'
    parsed.push({
      text,
      ...(bold && { bold }),
      ...(italic && { italic }),
      ...(underline && { underline }),
      ...(color && { color }),
    })
  }
  const text = parsed.map(run => run.text).join('')
  if (parsed.length === 0 || text.length > MAX_TEXT)
    return `rich_text holds between one run and ${MAX_TEXT} characters`
  return { content: { type: 'text', value: text, runs: parsed } }
}

/** Files store English names, commas and decimal points, whatever a program shows. */
function parseFormula(
  book: Book,
  given: string,
  at: ValuePlace | undefined,
): CellInput | ForeignFormula | string {
  const typed = given.trim().replace(/^=/, '').trim()
  const parsed = parseEnglish(book, typed, at)
  if (isUsable(parsed)) return parsed
  const english = englishFormula(typed, name => isKnownFunction(book, name))
  if (english === typed || !isUsable(parseEnglish(book, english, at))) return parsed
  const problem = `the formula ${JSON.stringify(`=${typed}`)} is in the form of another language; a file has English function names, commas between arguments and decimal points, so send ${JSON.stringify(english)}`
  return { problem, english }
}

function isUsable(parsed: CellInput | string): boolean {
  return typeof parsed !== 'string' && parsed.hint !== 'unknown-function'
}

/** Checked as far as possible: a formula that Excel cannot read makes it repair the whole file. */
function parseEnglish(book: Book, typed: string, at: ValuePlace | undefined): CellInput | string {
  const text = at && typed.includes('[') ? withTable(book, typed, at) : typed
  if (text === '') return 'a formula is empty'
  const unholdable = findUnholdable(text)
  if (unholdable !== undefined)
    return `the formula ${JSON.stringify(`=${text}`)} holds ${unholdable}, which a formula cannot hold; use UNICHAR(…), or send it as text`
  if (text.length > MAX_FORMULA) return `a formula has at most ${MAX_FORMULA} characters`
  const tokens = tokenize(text, { mergeRefs: true })
  const tree = parseTokens(tokens)
  if (typeof tree === 'string') return `the formula ${JSON.stringify(`=${text}`)} ${tree}`
  const sheets = sheetsIn(text, name => book.sheet(name) !== undefined)
  const unknown = sheets.find(name => !book.sheet(name))
  if (unknown !== undefined)
    return `the formula ${JSON.stringify(`=${text}`)} names the sheet ${JSON.stringify(unknown)}; the sheets are ${book.sheets.map(sheet => sheet.name).join(', ')}`
  const units = unitsOf(text)
  const strange = findStrangeReference(book, units)
  if (strange) return `the formula ${JSON.stringify(`=${text}`)} ${strange}`
  const columns = columnsOf(units, text)
  const array = arrayNeed(tree.node)
  const stored = storedFormula(text)
  return {
    content: null,
    formula: { text: stored, kind: 'normal' },
    ...(callsUnknown(book, units, stored) && { hint: 'unknown-function' }),
    sheets,
    ...(columns.length > 0 && { columns }),
    ...(array && { array }),
  }
}

/** `[@Net]` in a cell of a table means that table; Excel adds its name too. */
function withTable(book: Book, formula: string, { sheet, row, column }: ValuePlace): string {
  const own = tablesOf(book.part, sheet).find(({ ref }) => {
    const box = parseBox(ref)
    return box !== undefined && contains(box, row, column)
  })
  if (!own) return formula
  return rewriteUnits(formula, unit =>
    unit.kind === 'structured' && unit.table === '' && !unit.context
      ? textOf({ ...unit, table: own.name })
      : undefined,
  )
}

function columnsOf(units: readonly Unit[], formula: string): NamedColumn[] {
  return units.flatMap(unit => {
    if (unit.kind !== 'structured' || unit.table === '' || unit.context) return []
    const { table } = unit
    return columnsIn(unit.brackets.slice(1, -1)).map(column => ({ table, column, formula }))
  })
}

/** A reference to a missing table or workbook makes Excel repair the file. */
function findStrangeReference(book: Book, units: readonly Unit[]): string | undefined {
  const linked = book.part.relationships.filter(({ kind }) => kind === 'externalLink').length
  for (const unit of units) {
    if (unit.kind === 'other') continue
    if (unit.kind === 'structured' && !unit.context) {
      const { table } = unit
      const tables = book.sheets.flatMap(sheet => tablesOf(book.part, sheet).map(own => own.name))
      if (tables.some(name => name.toLowerCase() === table.toLowerCase())) continue
      const known =
        tables.length > 0 ? `the tables are ${tables.join(', ')}` : 'the workbook has no tables'
      return table === ''
        ? `has ${unit.brackets} without the name of its table; ${known}`
        : `names the table ${JSON.stringify(table)}; ${known}`
    }
    const other = /\[([^\]]*)\]$/.exec(unit.context?.workbook ?? '')?.[1]
    if (other === undefined || (/^\d+$/.test(other) && Number(other) <= linked)) continue
    return `refers to another workbook (${other}), and such links cannot be created; copy the values into this one`
  }
  return undefined
}

/** The formula's tree; none where it contains `#REF!`. A string describes the problem. */
function parseTokens(tokens: Token[]): { readonly node: unknown } | string {
  const unknown = tokens.find(token => token.type === 'unknown')
  if (unknown) return `cannot be read at ${JSON.stringify(unknown.value)}`
  if (tokens.some(token => token.unterminated)) return 'has an unclosed string or bracket'
  if (tokens.some(({ type, value }) => type === 'string' && textLength(value) > MAX_FORMULA_TEXT))
    return `contains a string of more than ${MAX_FORMULA_TEXT} characters; join shorter ones with &`
  try {
    return { node: parse(tokens) }
  } catch (error) {
    if (tokens.some(token => token.value.includes('#REF!'))) return { node: undefined }
    return `cannot be read: ${error instanceof Error ? error.message : 'its parts do not fit together'} (arguments are separated by commas)`
  }
}

function textLength(quoted: string): number {
  return quoted.slice(1, -1).replaceAll('""', '"').length
}
