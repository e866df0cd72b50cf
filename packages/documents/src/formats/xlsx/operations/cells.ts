import { type Box, type ChangeId, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../book/refusal.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import {
  boxName,
  cellKey,
  cellName,
  contains,
  intersects,
  MAX_COLUMN,
  MAX_ROW,
  parseBox,
  placeOf,
} from '../cell/address.ts'
import { type CellData, type CellFormula, EMPTY_CONTENT } from '../cell/cells.ts'
import { MAX_STYLES } from '../cell/styles.ts'
import { type CellInput, parseValue } from '../formula/values.ts'
import { dynamicIndex } from '../parts/dynamic-arrays.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { headerRows } from '../table/table-columns.ts'
import { boxField, cellField, gridField, listField, parseOwnCell } from './arguments.ts'
import { defaultStyles } from './default-style.ts'
import { cellsIn, type Editor } from './editor.ts'
import { refuseInsideArrays } from './guards.ts'
import { writersOfColumns } from './table-references.ts'
import { warnBesideTables, warnOfPivots } from './write-warnings.ts'

interface Write {
  readonly row: number
  readonly column: number
  readonly input: CellInput
}

export function setCells(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const hasTables = tablesOf(editor.book.part, sheet).length > 0
  const shape = 'a list of {"cell": "B2", "value": 12}'
  const problems: string[] = []
  const writes: Write[] = []
  for (const [index, item] of listField(fields, 'cells', shape).entries()) {
    const { cell, value } = (item ?? {}) as { cell?: unknown; value?: unknown }
    const at =
      typeof cell === 'string' ? parseOwnCell(sheet, cell) : `${JSON.stringify(cell)} is no cell`
    const place = typeof at === 'string' || !hasTables ? undefined : { sheet, ...at }
    const input = parseValue(editor.book, value, fields.formulas === true, place)
    if (typeof at === 'string') problems.push(`cells[${index}].cell ${at}`)
    else if (typeof input === 'string') problems.push(`cells[${index}].value (${cell}): ${input}`)
    else writes.push({ ...at, input })
  }
  if (problems.length > 0) throw invalid(problems)
  return write(editor, sheet, writes, 'set_cells')
}

export function setRange(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const hasTables = tablesOf(editor.book.part, sheet).length > 0
  const start = cellField(sheet, fields, 'start')
  const problems: string[] = []
  const writes: Write[] = []
  for (const [index, row] of listField(
    fields,
    'values',
    'a list of rows, such as [["Name", 1], ["Other", 2]]',
  ).entries()) {
    if (!Array.isArray(row)) {
      problems.push(`values[${index}] is no list; values is a list of rows, each a list of values`)
      continue
    }
    for (const [offset, value] of row.entries()) {
      const at = { row: start.row + index, column: start.column + offset }
      const place = hasTables ? { sheet, ...at } : undefined
      const input = parseValue(editor.book, value, fields.formulas === true, place)
      if (at.row > MAX_ROW || at.column > MAX_COLUMN)
        problems.push(`values[${index}][${offset}] lies beyond the last cell of a sheet`)
      else if (typeof input === 'string')
        problems.push(`values[${index}][${offset}] (${cellName(at.row, at.column)}): ${input}`)
      else writes.push({ ...at, input })
      if (problems.length > 50) throw invalid(problems)
    }
  }
  if (writes.length === 0 && problems.length === 0)
    problems.push('values holds no value; null clears a cell')
  if (problems.length > 0) throw invalid(problems)
  return write(editor, sheet, writes, 'set_range')
}

export function clearRange(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  const cells = [...cellsIn(editor.book, sheet, box).values()].filter(isFilled).sort(inOrder)
  refuseInsideArrays(sheet, box)
  // A table cannot be without its headers; when nothing else is meant, writing says so.
  const headers = headerRows(editor.book, sheet)
  const isHeader = ({ row, column }: CellData) => headers.some(own => contains(own, row, column))
  const kept = cells.every(isHeader) ? [] : cells.filter(isHeader)
  let count = 0
  for (const cell of kept.length > 0 ? cells.filter(own => !isHeader(own)) : cells)
    if (editor.writeCell(sheet, cell, { content: null, style: cell.style })) count++
  if (kept.length > 0)
    editor.warnings.push(
      `Kept, because a table needs its headers: ${listed(kept.map(own => cellName(own.row, own.column)))}.`,
    )
  if (count > 0) editor.warnings.push(...warnOfPivots(editor.book, sheet, box))
  return {
    op: 'clear_range',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message: `Cleared ${counted(count, 'cell')} of ${placeOf(sheet.name, boxName(box))}; formats stay.`,
  }
}

function write(
  editor: Editor,
  sheet: Sheet,
  writes: readonly Write[],
  op: string,
): OperationResult {
  const touched = boundsOf(writes)
  const cells = cellsIn(editor.book, sheet, touched)
  const keys = new Set<number>()
  for (const own of writes) keys.add(cellKey(own.row, own.column))
  refuseInsideArrays(sheet, touched, keys)
  const merges = mergesIn(editor, sheet, touched)
  // The second write of a cell stands on the first.
  const mayRepeat = keys.size < writes.length || merges.length > 0
  const styleOf = defaultStyles(sheet)
  const hinted = new Map<Hint, string[]>()
  const filled: { readonly row: number; readonly column: number }[] = []
  const moved: string[] = []
  const skipped: string[] = []
  let count = 0
  let same = 0
  for (const own of headersFirst(editor, sheet, writes)) {
    const merge = merges.find(box => contains(box, own.row, own.column))
    const isAnchor = !merge || (merge.top === own.row && merge.left === own.column)
    let { row, column } = own
    if (merge && !isAnchor) {
      const isEmpty = own.input.content === null && !own.input.formula
      if (keys.has(cellKey(merge.top, merge.left)) || isEmpty) {
        if (!isEmpty) skipped.push(cellName(row, column))
        continue
      }
      moved.push(`${cellName(row, column)} → ${cellName(merge.top, merge.left)}`)
      row = merge.top
      column = merge.left
    }
    const before = cells.get(cellKey(row, column)) ??
      outside(editor, sheet, row, column, touched) ?? {
        row,
        column,
        style: styleOf(row, column),
        content: EMPTY_CONTENT,
      }
    const array = arrayAt(editor, sheet, { row, column, isMerged: merge !== undefined }, own.input)
    const edit = toEdit(editor, own.input, before, array?.formula)
    if (!isFilled(before) && !edit.content && !edit.formula) continue
    const hint = array?.hint ?? own.input.hint
    if (hint) {
      const names = hinted.get(hint) ?? []
      names.push(cellName(row, column))
      hinted.set(hint, names)
    }
    if (!sheet.cells.has(cellKey(row, column)) && stands(before, edit)) {
      same++
      continue
    }
    const dependsOn = own.input.formula
      ? writersOf(editor, own.input, placeOf(sheet.name, cellName(row, column)))
      : NOTHING
    if (!editor.writeCell(sheet, before, edit, dependsOn)) continue
    if (mayRepeat)
      cells.set(cellKey(row, column), {
        row,
        column,
        style: edit.style,
        content: edit.content ?? EMPTY_CONTENT,
        ...(edit.formula && { formula: edit.formula }),
      })
    count++
    if (!isFilled(before)) filled.push({ row, column })
  }
  const { warnings } = editor
  warnings.push(...warnBesideTables(editor.book, sheet, filled))
  if (count > 0) warnings.push(...warnOfPivots(editor.book, sheet, touched))
  for (const [hint, names] of hinted) warnings.push(HINTS[hint](listed(names)))
  if (moved.length > 0)
    warnings.push(`Inside merged cells, so written to their first cell: ${listed(moved)}.`)
  if (skipped.length > 0)
    warnings.push(
      `Not written, because they lie inside merged cells whose first cell has its own value: ${listed(skipped)}.`,
    )
  return {
    op,
    sheet: sheet.name,
    range: boxName(touched),
    cellCount: count,
    message: `Set ${counted(count, 'cell')} in ${placeOf(sheet.name, boxName(touched))}${same > 0 ? `; ${count > 0 ? 'another ' : ''}${counted(same, 'cell')} held that already` : ''}.`,
  }
}

/** Whether the file holds that already: a block written back with a few cells changed is those few changes. */
function stands(before: CellData, { content, formula, style }: CellEdit): boolean {
  if (style !== before.style || (content?.type === 'text' && content.runs)) return false
  if (formula || before.formula)
    return (
      formula?.kind === 'normal' &&
      before.formula !== undefined &&
      (before.formula.kind === 'normal' || before.formula.kind === 'shared') &&
      formula.text === before.formula.text
    )
  if (content?.type === 'number' && before.content.type === 'number')
    return content.value === before.content.value || content.value === asRead(before.content.value)
  return content?.type === before.content.type && content.value === before.content.value
}

/** A number is read in the 15 digits that Excel shows, and may hold more. */
function asRead(value: number): number {
  return Number(value.toPrecision(15))
}

/** What the sheets and the headers that a formula names come from. */
function writersOf(editor: Editor, input: CellInput, place: string): readonly ChangeId[] {
  const { sheets = [], columns = [] } = input
  const named = editor.accepts(place) ? writersOfColumns(editor, place, columns) : NOTHING
  return [...editor.writersOfSheets(sheets), ...named]
}

const NOTHING: readonly ChangeId[] = []

/** Formulas of the same operation may name the columns by the headers it brings. */
function headersFirst(editor: Editor, sheet: Sheet, writes: readonly Write[]): readonly Write[] {
  if (!writes.some(own => own.input.columns)) return writes
  const rows = headerRows(editor.book, sheet)
  const isHeader = ({ row, column }: Write) => rows.some(own => contains(own, row, column))
  return [...writes.filter(isHeader), ...writes.filter(own => !isHeader(own))]
}

export function listed(names: readonly string[]): string {
  return `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`
}

type Hint = NonNullable<CellInput['hint']> | 'fills-cells' | 'first-value-only' | 'plain-only'

const HINTS: Readonly<Record<Hint, (cells: string) => string>> = {
  'looks-like-formula': cells =>
    `Written as text, not as formulas: ${cells}. To write a formula send {"formula": "SUM(A1:A3)"} as the value, or "formulas": true in the operation.`,
  'looks-like-number': cells =>
    `Written as text although they look like numbers: ${cells}. Send a JSON number to write a number (0.12 for 12%).`,
  'looks-like-date': cells =>
    `Written as text although they look like dates: ${cells}. Send {"date": "2026-01-31"} to write a date.`,
  'looks-like-truth': cells =>
    `Written as text although they look like true or false: ${cells}. Send true or false without quotes to write those.`,
  'fills-cells': cells =>
    `Excel fills the cells below and beside ${cells} when it opens the file, as many as there are values; a filled cell in the way gives #SPILL!. Programs that cannot do so show the first value.`,
  'first-value-only': cells =>
    `Written into one cell each, although they give many values: ${cells}. Inside a table or merged cells no formula fills cells, so Excel shows one value; write them elsewhere, or write the values.`,
  'plain-only': cells =>
    `Written as plain formulas, which take one cell of each range they compute over: ${cells}. To compute over whole ranges use SUMPRODUCT, or write them outside merged cells.`,
  'unknown-function': cells =>
    `Excel has no function of a name that is called in ${cells}, so it shows #NAME? unless an add-in brings it. Functions have their English names, such as SUM.`,
  'empty-text': cells =>
    `Written as texts without letters, which count as filled: ${cells}. Send null to leave a cell empty.`,
  'loses-digits': cells =>
    `Written as numbers, which keep 15 digits: ${cells}. Send a text to keep every digit.`,
}

/** The first cell of a merged range may lie outside what is written. */
function outside(
  editor: Editor,
  sheet: Sheet,
  row: number,
  column: number,
  touched: Box,
): CellData | undefined {
  if (contains(touched, row, column)) return undefined
  return cellsIn(editor.book, sheet, { top: row, bottom: row, left: column, right: column }).get(
    cellKey(row, column),
  )
}

/** How a formula that computes over ranges is written there; undefined for any other. */
function arrayAt(
  editor: Editor,
  sheet: Sheet,
  at: { readonly row: number; readonly column: number; readonly isMerged: boolean },
  { formula, array }: CellInput,
): { readonly formula?: CellFormula; readonly hint?: Hint } | undefined {
  if (!formula || array === undefined) return undefined
  const { part } = editor.book
  const isInTable = () =>
    tablesOf(part, sheet).some(({ ref }) => {
      const box = parseBox(ref)
      return box !== undefined && contains(box, at.row, at.column)
    })
  const metadata = at.isMerged ? undefined : dynamicIndex(part)
  if (array === 'many' && (metadata === undefined || isInTable()))
    return { hint: 'first-value-only' }
  if (metadata === undefined) return { hint: 'plain-only' }
  const ref = cellName(at.row, at.column)
  const written: CellFormula = { ...formula, kind: 'array', ref, metadata }
  return { formula: written, ...(array === 'many' && { hint: 'fills-cells' }) }
}

/** A cell keeps its style; a date brings a date format where the cell shows none. */
function toEdit(
  editor: Editor,
  input: CellInput,
  before: CellData,
  array: CellFormula | undefined,
): CellEdit {
  const { content, pattern } = input
  const formula = array ?? input.formula
  const styles = editor.book.part.styles()
  const isShown = styles.isDate(before.style) || styles.isDuration(before.style)
  const style = pattern && !isShown ? styles.derive(before.style, pattern) : before.style
  if (style === undefined)
    throw new Refusal(
      'TOO_LARGE',
      `the workbook holds ${MAX_STYLES} cell formats, as many as Excel opens, so ${cellName(before.row, before.column)} cannot get one that shows a date; write the date as a text, or into a cell that shows dates already`,
    )
  return { content, style, ...(formula && { formula }) }
}

function mergesIn(editor: Editor, sheet: Sheet, touched: Box): readonly Box[] {
  const merges = editor.book.mergesOf(sheet)
  return merges.ok ? merges.value.filter(box => intersects(box, touched)) : []
}

function boundsOf(writes: readonly Write[]): Box {
  let top = MAX_ROW
  let left = MAX_COLUMN
  let bottom = 1
  let right = 1
  for (const { row, column } of writes) {
    top = Math.min(top, row)
    bottom = Math.max(bottom, row)
    left = Math.min(left, column)
    right = Math.max(right, column)
  }
  return { top, left, bottom, right }
}

function isFilled(cell: CellData): boolean {
  return cell.content.type !== 'empty' || cell.formula !== undefined
}

function inOrder(a: CellData, b: CellData): number {
  return a.row - b.row || a.column - b.column
}

function invalid(problems: readonly string[]): Refusal {
  return new Refusal('INVALID_ARGUMENT', problems.slice(0, 50).join('; '), {
    errors: problems.slice(0, 50),
  })
}
