import { type Box, counted, type Fields } from '@filewright/protocol'
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
  const { search, sheets, box, wanted } = asked
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
        ? `Found ${JSON.stringify(search)} in no cell; nothing was replaced.${findElsewhere(editor, asked)}`
        : `Replaced ${JSON.stringify(search)} in ${counted(count, 'cell')}.`,
  }
}

interface Asked {
  readonly search: string
  readonly isWhole: boolean
  readonly wanted: Replacement
  readonly sheets: readonly Sheet[]
  readonly box: Box
}

function parseAsked(editor: Editor, fields: Fields): Asked {
  const isRegex = fields.regex === true || typeof fields.regex === 'string'
  const given = typeof fields.regex === 'string' ? fields.regex : (fields.search ?? fields.find)
  const search = textField({ ...fields, search: given }, 'search', 'old text')
  if (typeof fields.replace !== 'string')
    throw new Refusal('INVALID_ARGUMENT', 'find_replace needs replace, a string (empty to delete)')
  const { replace } = fields
  const isWhole = fields.whole_cell === true
  const inFormulas = fields.formulas === true
  const wanted: Replacement = { find: finderFor(fields), replace, inFormulas, isRegex }
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
    const dependsOn = found.columns ? writersOfColumns(editor, place, found.columns) : []
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
function findElsewhere(editor: Editor, { search, isWhole, wanted, sheets, box }: Asked): string {
  if (wanted.isRegex) return ''
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

interface Replacement {
  readonly find: TextFinder
  readonly replace: string
  readonly inFormulas: boolean
  /** `$1` in the replacement is a group. */
  readonly isRegex: boolean
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
  const find = finderFor(fields)
  return { inFormulas: fields.formulas === true, isWanted: text => find(text).length > 0 }
}

function toPattern(search: string, isExact: boolean, isWhole: boolean): RegExp {
  const exact = search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(isWhole ? `^(?:${exact})$` : exact, isExact ? 'g' : 'gi')
}

function findIn(editor: Editor, sheet: Sheet, box: Box, wanted: Replacement): CellData[] {
  const { find, inFormulas } = wanted
  const isWanted = (text: string) => find(text).length > 0
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
  const swap = (text: string) => swapAt(text, placesOf(text, wanted))
  if (formula) {
    if (!wanted.inFormulas || formula.kind === 'dataTable') return undefined
    const text = swap(formula.text)
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
  const places = placesOf(content.value, wanted)
  const value = swapAt(content.value, places)
  if (value === content.value) return undefined
  if (value === '') return { edit: { content: null, style } }
  const runs = runsOf(editor.book, sheet, cell.row, cell.column)
  const change = { text: content.value, places, by: wanted.replace }
  const xml = runs === undefined ? undefined : replaceInRuns(runs, prefixOf(sheet), change)
  return { edit: { content: { type: 'text', value, ...(xml !== undefined && { xml }) }, style } }
}

type FilledPlace = TextPlace & { readonly by: string }

function placesOf(text: string, { find, replace, isRegex }: Replacement): FilledPlace[] {
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
