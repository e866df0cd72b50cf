import { type Box, type ChangeId, counted } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import { defaultStyles } from '../book/default-style.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import {
  boxName,
  cellKey,
  cellName,
  contains,
  intersects,
  MAX_COLUMN,
  MAX_ROW,
  placeOf,
} from '../cell/address.ts'
import { type CellData, type CellFormula, EMPTY_CONTENT } from '../cell/cells.ts'
import { MAX_STYLES } from '../cell/styles.ts'
import { PlacedFormulas } from '../formula/placed-formulas.ts'
import type { CellInput } from '../formula/values.ts'
import { headerRows } from '../table/table-columns.ts'
import { AllowedValues } from './allowed-values.ts'
import { cellsIn, type Editor } from './editor.ts'
import { refuseInsideArrays } from './guards.ts'
import { Overwritten, warnBelowTotals } from './overwritten.ts'
import { writersOfColumns } from './table-references.ts'
import { HINTS, type Hint, listed } from './write-hints.ts'
import { warnBesideTables } from './write-warnings.ts'

export interface CellWrite {
  readonly row: number
  readonly column: number
  readonly input: CellInput
}

/** Writes a block or a list of cells, and describes the result. */
export function writeCells(
  editor: Editor,
  sheet: Sheet,
  writes: readonly CellWrite[],
  op: string,
  verb = 'Set',
): OperationResult {
  if (writes.length === 0)
    return { op, sheet: sheet.name, cellCount: 0, message: `${verb} no cell.` }
  const work = prepare(editor, sheet, writes)
  const { touched, tally } = work
  for (const own of headersFirst(editor, sheet, writes)) writeOne(work, own)
  warn(work)
  const { count, same } = tally
  return {
    op,
    sheet: sheet.name,
    range: boxName(touched),
    cellCount: count,
    message: `${verb} ${counted(count, 'cell')} in ${placeOf(sheet.name, boxName(touched))}${same > 0 ? `; ${count > 0 ? 'another ' : ''}${counted(same, 'cell')} already had that value` : ''}.`,
  }
}

/** The target and progress of one operation. */
interface Work {
  readonly editor: Editor
  readonly sheet: Sheet
  readonly touched: Box
  /** The current cells; with `mayRepeat`, including those that this operation wrote. */
  readonly cells: Map<number, CellData>
  /** Keys of the cells that are written. */
  readonly keys: ReadonlySet<number>
  readonly merges: readonly Box[]
  /** A cell may be written twice; the second write builds on the first. */
  readonly mayRepeat: boolean
  readonly styleOf: (row: number, column: number) => number
  readonly allowed: AllowedValues | undefined
  readonly formulas: PlacedFormulas
  readonly tally: Tally
}

interface Tally {
  count: number
  same: number
  readonly hinted: Map<Hint, string[]>
  readonly filled: { readonly row: number; readonly column: number }[]
  readonly moved: string[]
  readonly skipped: string[]
  readonly over: Overwritten
}

function prepare(editor: Editor, sheet: Sheet, writes: readonly CellWrite[]): Work {
  const touched = boundsOf(writes)
  const cells = cellsIn(editor.book, sheet, touched)
  const keys = new Set<number>()
  for (const own of writes) keys.add(cellKey(own.row, own.column))
  refuseInsideArrays(sheet, touched, keys)
  const merges = mergesIn(editor, sheet, touched)
  return {
    editor,
    sheet,
    touched,
    cells,
    keys,
    merges,
    mayRepeat: keys.size < writes.length || merges.length > 0,
    styleOf: defaultStyles(sheet),
    allowed: AllowedValues.of(editor.book, sheet),
    formulas: new PlacedFormulas(editor.book, sheet),
    tally: {
      count: 0,
      same: 0,
      hinted: new Map(),
      filled: [],
      moved: [],
      skipped: [],
      over: new Overwritten(),
    },
  }
}

function writeOne(work: Work, own: CellWrite): void {
  const { editor, sheet, cells, merges, tally } = work
  const merge = merges.find(box => contains(box, own.row, own.column))
  const at = merge ? placeInMerge(work, merge, own) : own
  if (!at) return
  const { row, column } = at
  const key = cellKey(row, column)
  const before = cells.get(key) ?? outside(work, row, column) ?? blank(work, row, column)
  const placed = work.formulas.typed({ row, column }, own.input)
  const edit = toEdit(editor, own.input, before, placed.formula)
  if (!isFilled(before) && !edit.content && !edit.formula) return
  const hint = placed.hint ?? own.input.hint
  if (hint) addHint(tally, hint, cellName(row, column))
  if (!sheet.cells.has(key) && stands(before, edit)) {
    tally.same++
    return
  }
  const dependsOn = own.input.formula ? writersOf(editor, sheet, at, own.input) : NOTHING
  // the cell that was asked for may be in lines that the range of merged cells got
  const around = at === own ? NOTHING : editor.writersOfSheets([sheet.name])
  if (!editor.writeCell(sheet, before, edit, [...dependsOn, ...around])) return
  if (work.mayRepeat) cells.set(key, asWritten(row, column, edit))
  tally.count++
  const { content } = edit
  if (content && !edit.formula) work.allowed?.note({ row, column, content })
  // a header or a total may have been written otherwise than sent
  if (isFilled(before)) tally.over.note(before, sheet.cells.get(key) ?? edit)
  else tally.filled.push({ row, column })
}

/** The first cell of a merged range has its value; undefined if that cell is written too, or nothing is merged. */
function placeInMerge(
  { keys, tally }: Work,
  { top, left }: Box,
  { row, column, input }: CellWrite,
): { readonly row: number; readonly column: number } | undefined {
  if (top === row && left === column) return { row, column }
  const isEmpty = input.content === null && !input.formula
  if (keys.has(cellKey(top, left)) || isEmpty) {
    if (!isEmpty) tally.skipped.push(cellName(row, column))
    return undefined
  }
  tally.moved.push(`${cellName(row, column)} → ${cellName(top, left)}`)
  return { row: top, column: left }
}

function blank({ styleOf }: Work, row: number, column: number): CellData {
  return { row, column, style: styleOf(row, column), content: EMPTY_CONTENT }
}

function asWritten(row: number, column: number, { style, content, formula }: CellEdit): CellData {
  return { row, column, style, content: content ?? EMPTY_CONTENT, ...(formula && { formula }) }
}

function addHint({ hinted }: Tally, hint: Hint, cell: string): void {
  const names = hinted.get(hint) ?? []
  names.push(cell)
  hinted.set(hint, names)
}

function warn({ editor, sheet, tally, allowed }: Work): void {
  const { hinted, filled, moved, skipped } = tally
  const { warnings } = editor
  for (const { text, isMet } of warnBesideTables(editor.book, sheet, filled)) {
    warnings.push(text)
    editor.isMet.set(text, isMet)
  }
  warnings.push(...tally.over.warnings())
  warnings.push(...warnBelowTotals(editor.book, sheet, filled))
  if (allowed) warnings.push(...allowed.warnings())
  for (const [hint, names] of hinted) warnings.push(HINTS[hint](listed(names)))
  if (moved.length > 0)
    warnings.push(`Inside merged cells, so written to their first cell: ${listed(moved)}.`)
  if (skipped.length > 0)
    warnings.push(
      `Not written, because they are inside merged cells whose first cell has its own value: ${listed(skipped)}.`,
    )
}

/** Whether the file already has that value: a block written back with a few changed cells makes only those changes. */
function stands(before: CellData, { content, formula, style }: CellEdit): boolean {
  if (style !== before.style || (content?.type === 'text' && content.runs)) return false
  if (formula || before.formula)
    return (
      formula !== undefined &&
      before.formula !== undefined &&
      (formula.kind === 'array'
        ? before.formula.kind === 'array' && formula.ref === before.formula.ref
        : before.formula.kind === 'normal' || before.formula.kind === 'shared') &&
      formula.text === before.formula.text
    )
  if (content?.type === 'number' && before.content.type === 'number')
    return content.value === before.content.value || content.value === asRead(before.content.value)
  return content?.type === before.content.type && content.value === before.content.value
}

/** Reads show a number with the 15 digits of Excel; the file may have more. */
function asRead(value: number): number {
  return Number(value.toPrecision(15))
}

/** The operations that the sheets and headers named by a formula depend on. */
function writersOf(
  editor: Editor,
  sheet: Sheet,
  { row, column }: { readonly row: number; readonly column: number },
  { formula, sheets = [], columns = [] }: CellInput,
): readonly ChangeId[] {
  const place = placeOf(sheet.name, cellName(row, column))
  const isWanted = editor.acceptsCell(sheet, row, column)
  const named = isWanted ? writersOfColumns(editor, place, columns) : NOTHING
  return [...editor.writersOfNamed(sheet, formula!.text, sheets), ...named]
}

const NOTHING: readonly ChangeId[] = []

/** Formulas of the same operation may use headers that it writes. */
function headersFirst(
  editor: Editor,
  sheet: Sheet,
  writes: readonly CellWrite[],
): readonly CellWrite[] {
  if (!writes.some(own => own.input.columns)) return writes
  const rows = headerRows(editor.book, sheet)
  const isHeader = ({ row, column }: CellWrite) => rows.some(own => contains(own, row, column))
  return [...writes.filter(isHeader), ...writes.filter(own => !isHeader(own))]
}

/** The first cell of a merged range may be outside the written range. */
function outside(
  { editor, sheet, touched }: Work,
  row: number,
  column: number,
): CellData | undefined {
  if (contains(touched, row, column)) return undefined
  return cellsIn(editor.book, sheet, { top: row, bottom: row, left: column, right: column }).get(
    cellKey(row, column),
  )
}

/** A cell keeps its style; a date adds a date format where the cell shows none. */
function toEdit(
  editor: Editor,
  input: CellInput,
  before: CellData,
  formula: CellFormula | undefined,
): CellEdit {
  const { content, pattern } = input
  const styles = editor.book.part.styles()
  const isShown = styles.isDate(before.style) || styles.isDuration(before.style)
  const style = pattern && !isShown ? styles.derive(before.style, pattern) : before.style
  if (style === undefined)
    throw new Refusal(
      'TOO_LARGE',
      `the workbook holds ${MAX_STYLES} cell formats, the most Excel opens, so ${cellName(before.row, before.column)} cannot get one that shows a date; write the date as text, or into a cell that already shows dates`,
    )
  return { content, style, ...(formula && { formula }) }
}

function mergesIn(editor: Editor, sheet: Sheet, touched: Box): readonly Box[] {
  const merges = editor.book.mergesOf(sheet)
  return merges.ok ? merges.value.filter(box => intersects(box, touched)) : []
}

function boundsOf(writes: readonly CellWrite[]): Box {
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

export function isFilled(cell: CellData): boolean {
  return cell.content.type !== 'empty' || cell.formula !== undefined
}
