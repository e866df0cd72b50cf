import { type Box, counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import { finderOf, type TextFinder } from '../../../runs/find-text.ts'
import { replaceInRuns, runsOf, type TextPlace } from '../book/rich-text.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { cellName, contains, MAX_COLUMN, MAX_ROW, placeOf } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import { isForeign, type NamedColumn, parseValue } from '../formula/values.ts'
import { headerRows } from '../table/table-columns.ts'
import { boxField, gridField, textField } from './arguments.ts'
import { type Editor, refuseMisplaced } from './editor.ts'
import { filledCells, refuseInsideArrays } from './guards.ts'
import { writersOfColumns } from './table-references.ts'
import { listed } from './write-hints.ts'

export function findReplace(editor: Editor, fields: Fields): OperationResult {
  const asked = parseAsked(editor, fields)
  const { search, sheets, box } = asked
  const wanted = onlyNth(editor, asked, fields.nth)
  const done: Done = { count: 0, places: [], filled: [] }
  const find = (sheet: Sheet) => findIn(editor, sheet, box, wanted)
  for (const { sheet, cells } of headersFirst(editor, sheets, find))
    replaceIn(editor, { sheet, cells, isGuarded: fields.sheet !== undefined }, wanted, done)
  const { count, places, filled } = done
  if (filled.length > 0)
    editor.warnings.push(
      `Left as they are, because a formula fills them: ${listed(filled)}. Change the formula to change them.`,
    )
  return {
    op: 'find_replace',
    cellCount: count,
    cells: places,
    message:
      count === 0
        ? `Found ${search} in no cell; nothing was replaced.${findElsewhere(editor, asked)}`
        : `Replaced ${search} in ${counted(count, 'cell')}.`,
  }
}

interface Asked {
  /** What is looked for, in quotation marks. */
  readonly search: string
  readonly isWhole: boolean
  readonly wanted: Replacement
  readonly sheets: readonly Sheet[]
  readonly box: Box
}

function parseAsked(editor: Editor, fields: Fields): Asked {
  const pairs = pairsOf(fields)
  const search = pairs.map(({ search: own }) => JSON.stringify(own)).join(', ')
  const isWhole = fields.whole_cell === true
  const wanted: Replacement = { pairs, inFormulas: fields.formulas === true }
  const sheets =
    fields.sheet === undefined
      ? editor.book.sheets.filter(own => own.kind === 'worksheet' && own.isInFile)
      : [gridField(editor.book, fields)]
  const box: Box =
    fields.range === undefined
      ? { top: 1, left: 1, bottom: MAX_ROW, right: MAX_COLUMN }
      : boxField(fields.sheet === undefined ? undefined : sheets[0], fields)
  return { search, isWhole, wanted, sheets, box }
}

/** One pair of `search` and `replace`, or each of `replacements`. */
function pairsOf(fields: Fields): Pair[] {
  const { replacements, ...rest } = fields
  if (replacements === undefined) return [pairOf(fields)]
  if (!Array.isArray(replacements) || replacements.length === 0 || !replacements.every(isFields))
    throw new Refusal(
      'INVALID_ARGUMENT',
      'find_replace: replacements is a list of {search, replace}',
    )
  return replacements.map(own => pairOf({ ...rest, ...own }))
}

function pairOf(fields: Fields): Pair {
  const isRegex = fields.regex === true || typeof fields.regex === 'string'
  const given = typeof fields.regex === 'string' ? fields.regex : (fields.search ?? fields.find)
  const search = textField({ ...fields, search: given }, 'search', 'old text')
  if (typeof fields.replace !== 'string')
    throw new Refusal('INVALID_ARGUMENT', 'find_replace needs replace, a string (empty to delete)')
  return { search, find: finderFor(fields), replace: fields.replace, isRegex }
}

/** The same for one match alone, counted by sheets, rows and columns. It depends on every change before it. */
function onlyNth(editor: Editor, { wanted, sheets, box }: Asked, nth: unknown): Replacement {
  if (nth === undefined) return wanted
  if (typeof nth !== 'number' || !Number.isInteger(nth) || nth < 1 || wanted.pairs.length > 1)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'find_replace: nth is the number of one match, from 1, of one search',
    )
  let left = nth
  for (const sheet of sheets)
    for (const cell of inOrder(findIn(editor, sheet, box, wanted))) {
      const text = cell.formula ? cell.formula.text : String(cell.content.value ?? '')
      const count = wanted.pairs[0]!.find(text).length
      if (left <= count) return { ...wanted, only: { sheet, cell, index: left - 1 } }
      left -= count
    }
  const found = nth - left
  throw new Refusal(
    'NO_SUCH_REGION',
    `nth is ${nth}, and there ${found === 1 ? 'is' : 'are'} ${counted(found, 'match', 'matches')}`,
  )
}

function inOrder(cells: readonly CellData[]): CellData[] {
  return [...cells].sort((a, b) => a.row - b.row || a.column - b.column)
}

interface Done {
  count: number
  /** The first of them. */
  readonly places: string[]
  /** Left alone: a formula elsewhere fills them. */
  readonly filled: string[]
}

function replaceIn(
  editor: Editor,
  { sheet, cells, isGuarded }: Found & { isGuarded: boolean },
  wanted: Replacement,
  done: Done,
): void {
  const isFilledAt = filledCells(sheet)
  for (const cell of cells) {
    const place = placeOf(sheet.name, cellName(cell.row, cell.column))
    if (!editor.accepts(place)) continue
    const found = replaced(editor, sheet, cell, wanted)
    if (!found) continue
    if (!cell.formula && isFilledAt(cell.row, cell.column)) {
      done.filled.push(place)
      continue
    }
    refuseInsideArrays(sheet, boxOf(cell))
    if (!isGuarded) editor.guard(sheet) // without a match, a protected sheet does not matter
    isGuarded = true
    const dependsOn = [
      ...(found.columns ? writersOfColumns(editor, place, found.columns) : []),
      ...(wanted.only ? editor.book.sheets.flatMap(own => editor.writersOn(own)) : []),
    ]
    if (!editor.writeCell(sheet, cell, found.edit, dependsOn)) continue
    done.count++
    if (done.places.length < 100) done.places.push(place)
  }
}

function boxOf({ row, column }: CellData): Box {
  return { top: row, bottom: row, left: column, right: column }
}

interface Found {
  readonly sheet: Sheet
  readonly cells: readonly CellData[]
}

/** The matches, table headers first: formulas that are also replaced may name them. */
function* headersFirst(
  editor: Editor,
  sheets: readonly Sheet[],
  find: (sheet: Sheet) => readonly CellData[],
): Generator<Found> {
  const rest: Found[] = []
  const headers: Found[] = []
  for (const sheet of sheets) {
    const cells = find(sheet)
    const rows = headerRows(editor.book, sheet)
    const isHeader = ({ row, column }: CellData) => rows.some(own => contains(own, row, column))
    if (rows.length > 0) headers.push({ sheet, cells: cells.filter(isHeader) })
    rest.push({ sheet, cells: rows.length > 0 ? cells.filter(own => !isHeader(own)) : cells })
  }
  yield* headers
  yield* rest
}

/**
 * Where it occurs in another form, and how to replace it there: in other capitalisation, inside a formula, as a number.
 */
function findElsewhere(editor: Editor, { isWhole, wanted, sheets, box }: Asked): string {
  const [only, ...others] = wanted.pairs
  if (!only || only.isRegex || others.length > 0) return ''
  const { search } = only
  const pattern = toPattern(search, false, isWhole)
  const isWanted = (text: string) => text.search(pattern) >= 0
  const look = (sheet: Sheet) => {
    const noteMisplaced = IGNORED
    const found = editor.book.findCells(sheet, box, { inFormulas: true, isWanted, noteMisplaced })
    return found.ok ? found.value : []
  }
  const letters: string[] = []
  const formulas: string[] = []
  const numbers: string[] = []
  for (const sheet of sheets) {
    const nameOf = (cell: CellData) => placeOf(sheet.name, cellName(cell.row, cell.column))
    for (const cell of look(sheet))
      if (!cell.formula) letters.push(nameOf(cell))
      else if (!wanted.inFormulas) formulas.push(nameOf(cell))
    if (!NUMBER.test(search)) continue
    const cells = editor.book.cellsIn(sheet, box, IGNORED)
    for (const cell of cells.ok ? cells.value.values() : []) {
      const isNumber = cell.content.type === 'number' && !cell.formula
      if (isNumber && isWanted(String(cell.content.value))) numbers.push(nameOf(cell))
    }
  }
  return [
    letters.length > 0
      ? ` It occurs with other capitalisation in ${listed(letters)}: match_case: false.`
      : '',
    formulas.length > 0 ? ` Formulas contain it in ${listed(formulas)}: formulas: true.` : '',
    numbers.length > 0 ? ` Numbers contain it in ${listed(numbers)}: set_cells writes those.` : '',
  ].join('')
}

const NUMBER = /^-?[\d.]+$/

/** These cells are not written. */
const IGNORED = () => undefined

interface Pair {
  readonly search: string
  readonly find: TextFinder
  readonly replace: string
  /** `$1` in the replacement is a group. */
  readonly isRegex: boolean
}

interface Replacement {
  readonly pairs: readonly Pair[]
  readonly inFormulas: boolean
  /** One match, by its cell and its position there. */
  readonly only?: { readonly sheet: Sheet; readonly cell: CellData; readonly index: number }
}

/** The selector of text that all operations share, and whole cells. */
function finderFor(fields: Fields): TextFinder {
  const matchCase = fields.match_case !== false && fields.case_sensitive !== false
  const search = String(fields.search ?? fields.find ?? '')
  const regex = fields.regex === true ? search : (fields.regex as string | undefined)
  if (!regex && fields.whole_word !== true) {
    const pattern = toPattern(search, matchCase, fields.whole_cell === true)
    return text =>
      Array.from(text.matchAll(pattern), ({ index, 0: own }) => ({
        start: index,
        end: index + own.length,
      }))
  }
  const find = finderOf({
    ...(regex ? { regex } : { search }),
    matchCase,
    wholeWord: fields.whole_word === true,
  })
  if (fields.whole_cell !== true) return find
  return text => find(text).filter(({ start, end }) => start === 0 && end === text.length)
}

/** Whether a text has what a logged operation looks for, and whether it looks into formulas. */
export function soughtBy(fields: Fields): {
  readonly inFormulas: boolean
  readonly isWanted: (text: string) => boolean
} {
  const pairs = pairsOf(fields)
  return {
    inFormulas: fields.formulas === true,
    isWanted: text => pairs.some(({ find }) => find(text).length > 0),
  }
}

function toPattern(search: string, isExact: boolean, isWhole: boolean): RegExp {
  const exact = search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(isWhole ? `^(?:${exact})$` : exact, isExact ? 'g' : 'gi')
}

function findIn(editor: Editor, sheet: Sheet, box: Box, wanted: Replacement): CellData[] {
  const { pairs, inFormulas, only } = wanted
  if (only) return only.sheet === sheet ? [only.cell] : []
  const isWanted = (text: string) => pairs.some(({ find }) => find(text).length > 0)
  const noteMisplaced = refuseMisplaced(sheet)
  const found = editor.book.findCells(sheet, box, { inFormulas, isWanted, noteMisplaced })
  if (!found.ok) throw new Refusal('UNREADABLE_FORMAT', found.failure.message)
  return found.value
}

/** Text, and formulas on request; numbers are not text. Undefined when nothing matches. */
function replaced(
  editor: Editor,
  sheet: Sheet,
  cell: CellData,
  wanted: Replacement,
): { edit: CellEdit; columns?: readonly NamedColumn[] } | undefined {
  const { formula, content, style } = cell
  const { pairs, inFormulas, only } = wanted
  const placesIn = (text: string, pair: Pair) => {
    const places = placesOf(text, pair)
    return only ? places.slice(only.index, only.index + 1) : places
  }
  if (formula) {
    if (!inFormulas || formula.kind === 'dataTable') return undefined
    const text = pairs.reduce((own, pair) => swapAt(own, placesIn(own, pair)), formula.text)
    if (text === formula.text) return undefined
    const at = { sheet, row: cell.row, column: cell.column }
    const parsed = parseValue(editor.book, { formula: text }, true, at)
    if (typeof parsed === 'string' || isForeign(parsed))
      throw new Refusal(
        'INVALID_ARGUMENT',
        `find_replace would break ${cellName(cell.row, cell.column)}: ${typeof parsed === 'string' ? parsed : parsed.problem}`,
      )
    const kept =
      formula.kind === 'array' ? { ...formula, text: parsed.formula!.text } : parsed.formula!
    const { columns } = parsed
    return { edit: { content: null, formula: kept, style }, ...(columns && { columns }) }
  }
  if (content.type !== 'text') return undefined
  let value = content.value
  let xml = runsOf(editor.book, sheet, cell.row, cell.column)
  for (const pair of pairs) {
    const places = placesIn(value, pair)
    if (places.length === 0) continue
    const change = { text: value, places, by: pair.replace }
    xml = xml === undefined ? undefined : replaceInRuns(xml, prefixOf(sheet), change)
    value = swapAt(value, places)
  }
  if (value === content.value) return undefined
  if (value === '') return { edit: { content: null, style } }
  return { edit: { content: { type: 'text', value, ...(xml !== undefined && { xml }) }, style } }
}

type FilledPlace = TextPlace & { readonly by: string }

function placesOf(text: string, { find, replace, isRegex }: Pair): FilledPlace[] {
  return find(text).map(({ start, end, groups = [] }) => ({
    start,
    end,
    by: isRegex
      ? replace.replace(/\$(\d)/g, (_, group: string) => groups[Number(group) - 1] ?? '')
      : replace,
  }))
}

function swapAt(text: string, places: readonly FilledPlace[]): string {
  let out = ''
  let kept = 0
  for (const { start, end, by } of places) {
    out += text.slice(kept, start) + by
    kept = end
  }
  return out + text.slice(kept)
}

function prefixOf(sheet: Sheet): string {
  const xml = sheet.xml()
  return xml.ok ? xml.value.prefix : ''
}
