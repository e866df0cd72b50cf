import { type Box, type ChangeId, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import { defaultStyles } from '../book/default-style.ts'
import { runsOf } from '../book/rich-text.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import {
  boxName,
  type CellAddress,
  cellKey,
  cellName,
  intersects,
  MAX_COLUMN,
  MAX_ROW,
  placeOf,
  splitSheet,
} from '../cell/address.ts'
import { type CellContent, type CellData, dateOfSerial, EMPTY_CONTENT } from '../cell/cells.ts'
import { PlacedFormulas } from '../formula/placed-formulas.ts'
import { isForeign, parseValue } from '../formula/values.ts'
import { shiftFormula } from '../places/rewrites.ts'
import { boxField, cellField, gridField, parseOwnCell } from './arguments.ts'
import { copyFromWorkbook, namesWorkbook } from './copy-from-workbook.ts'
import { cellsIn, type Editor } from './editor.ts'
import { arraysIn, refuseInsideArrays, refuseTooMany } from './guards.ts'
import { refuseUnknown, shownIn } from './values.ts'
import { type CellWrite, writeCells } from './write-cells.ts'

const WHAT = ['all', 'values', 'formulas', 'formats'] as const
type What = (typeof WHAT)[number]

/** Copies cells to another place of the workbook; relative references shift as a spreadsheet program shifts them. */
export function copyRange(editor: Editor, fields: Fields): OperationResult {
  if (namesWorkbook(fields)) return copyFromWorkbook(editor, fields)
  const sheet = gridField(editor.book, fields)
  const from = boxField(sheet, fields)
  const what = String(fields.what ?? 'all') as What
  if (!WHAT.includes(what))
    throw new Refusal('INVALID_ARGUMENT', `copy_range: what is one of ${WHAT.join(', ')}`)
  const { target, at } = targetOf(editor, sheet, fields)
  refuseTooMany(from, 'copy_range')
  const cells = sourceCells(editor, sheet, from, what)
  const box = {
    top: at.row,
    left: at.column,
    bottom: at.row + from.bottom - from.top,
    right: at.column + from.right - from.left,
  }
  if (box.bottom > MAX_ROW || box.right > MAX_COLUMN)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${boxName(from)} does not fit below and right of ${cellName(at.row, at.column)}`,
    )
  const dependsOn = editor.writersOfSource(sheet, from)
  const copied = new Map<number, Copy>()
  const styleOf = defaultStyles(sheet)
  for (let row = from.top; row <= from.bottom; row++)
    for (let column = from.left; column <= from.right; column++) {
      const key = cellKey(row + at.row - from.top, column + at.column - from.left)
      const cell = cells.get(cellKey(row, column))
      const style = cell?.style ?? styleOf(row, column)
      copied.set(key, { source: sheet, cell, row, column, style })
    }
  const count = writeCopies(editor, target, box, copied, what, dependsOn)
  warnOfMerges(editor, sheet, from)
  return {
    op: 'copy_range',
    sheet: target.name,
    range: boxName(box),
    cellCount: count,
    message: `Copied ${what === 'all' ? '' : `the ${what} of `}${placeOf(sheet.name, boxName(from))} to ${placeOf(target.name, boxName(box))}; ${counted(count, 'cell')} changed.`,
  }
}

function targetOf(
  editor: Editor,
  sheet: Sheet,
  fields: Fields,
): { readonly target: Sheet; readonly at: CellAddress } {
  const text = String(fields.to ?? '')
  const split = splitSheet(text)
  const name = split.sheet ?? (typeof fields.to_sheet === 'string' ? fields.to_sheet : undefined)
  const target = name === undefined ? sheet : gridField(editor.book, { ...fields, sheet: name })
  if (target !== sheet) editor.guard(target)
  const at = parseOwnCell(target, split.address || text)
  if (typeof at === 'string')
    throw new Refusal(
      'INVALID_ARGUMENT',
      `copy_range needs to, the first cell of the new place, such as "D2" or "Summary!A1": ${at}`,
    )
  return { target, at }
}

/** With values where they are copied: those of formulas, and of cells that an array formula fills. */
function sourceCells(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  what: What,
): ReadonlyMap<number, CellData> {
  if (what === 'formats') return cellsIn(editor.book, sheet, box)
  if (what !== 'values' && arraysIn(sheet, box).length === 0)
    return cellsIn(editor.book, sheet, box)
  const cells = shownIn(editor, sheet, box)
  const why = 'there is no value to copy'
  for (const cell of cells.values())
    if (what === 'values' || !cell.formula)
      refuseUnknown(editor, sheet, cell, { why, instead: 'copy its formulas' })
  return cells
}

interface Copy {
  readonly source: Sheet
  readonly cell: CellData | undefined
  readonly row: number
  readonly column: number
  /** Also where the cell is not in the file: it looks like its row or column. */
  readonly style: number
}

function writeCopies(
  editor: Editor,
  target: Sheet,
  box: Box,
  copied: ReadonlyMap<number, Copy>,
  what: What,
  dependsOn: readonly ChangeId[],
): number {
  const { book } = editor
  const now = cellsIn(book, target, box)
  refuseInsideArrays(target, box)
  const formulas = new PlacedFormulas(book, target)
  const styleOf = defaultStyles(target)
  let count = 0
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) {
      const key = cellKey(row, column)
      const copy = copied.get(key)
      if (!copy) continue
      const style = now.get(key)?.style ?? styleOf(row, column)
      const before = now.get(key) ?? { row, column, style, content: EMPTY_CONTENT }
      const edit = copyOf(editor, formulas, copy, before, what)
      if (isSame(before, edit)) continue
      if (editor.writeCell(target, before, edit, dependsOn)) count++
    }
  return count
}

function isSame(before: CellData, { content, formula, style }: CellEdit): boolean {
  return (
    style === before.style &&
    formula?.text === before.formula?.text &&
    (formula !== undefined ||
      JSON.stringify(content ?? EMPTY_CONTENT) === JSON.stringify(before.content))
  )
}

function copyOf(
  { book }: Editor,
  formulas: PlacedFormulas,
  { source, cell, row, column, style: look }: Copy,
  before: CellData,
  what: What,
): CellEdit {
  const style = what === 'values' || what === 'formulas' ? before.style : look
  const kept = {
    content: contentOf(before),
    style,
    ...(before.formula && { formula: before.formula }),
  }
  if (what === 'formats') return kept
  if (!cell) return { content: null, style }
  if (cell.formula && what !== 'values') {
    const formula = formulas.copied(before, { row, column, formula: cell.formula })
    if (!formula)
      throw new Refusal(
        'CONFLICT',
        `${cellName(row, column)} is filled by an array formula or a data table, which cannot be copied cell by cell; copy its values`,
      )
    return { content: null, style, formula }
  }
  const xml = cell.formula ? undefined : runsOf(book, source, row, column)
  const content: CellContent =
    cell.content.type === 'text' && xml !== undefined ? { ...cell.content, xml } : cell.content
  return { content: content.type === 'empty' ? null : content, style }
}

function contentOf({ content, formula }: CellData): CellContent | null {
  return formula || content.type === 'empty' ? null : content
}

function warnOfMerges(editor: Editor, sheet: Sheet, box: Box): void {
  const merges = editor.book.mergesOf(sheet)
  if (merges.ok && merges.value.some(own => intersects(own, box)))
    editor.warnings.push(
      `Merged ranges of ${placeOf(sheet.name, boxName(box))} are not copied; merge_cells merges the copy.`,
    )
}

function boxAt({ row, column }: CellAddress): Box {
  return { top: row, bottom: row, left: column, right: column }
}

/** Fills a range from its first cell or from another one, with a series, or with a formula. */
export function fill(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  refuseTooMany(box, 'fill')
  if (fields.formula !== undefined)
    return writeCells(
      editor,
      sheet,
      formulaWrites(editor, sheet, box, String(fields.formula)),
      'fill',
      'Filled',
    )
  if (fields.series !== undefined)
    return writeCells(editor, sheet, seriesWrites(editor, sheet, box, fields), 'fill', 'Filled')
  const count = fillCopies(editor, sheet, box, fields)
  return {
    op: 'fill',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message: `Filled ${counted(count, 'cell')} in ${placeOf(sheet.name, boxName(box))}.`,
  }
}

/** Each row is filled from the cell of its column in the first row; a range of one row from its first cell. */
function fillCopies(editor: Editor, sheet: Sheet, box: Box, fields: Fields): number {
  const from = fields.from === undefined ? undefined : cellField(sheet, fields, 'from')
  const isRight = box.top === box.bottom || fields.direction === 'right'
  const origin = (row: number, column: number): CellAddress => {
    if (from) return from
    return isRight ? { row, column: box.left } : { row: box.top, column }
  }
  const copied = new Map<number, Copy>()
  const sources = new Map<number, CellData | undefined>()
  const styleOf = defaultStyles(sheet)
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) {
      const at = origin(row, column)
      if (at.row === row && at.column === column) continue
      const key = cellKey(at.row, at.column)
      if (!sources.has(key)) sources.set(key, sourceCells(editor, sheet, boxAt(at), 'all').get(key))
      const cell = sources.get(key)
      const style = cell?.style ?? styleOf(at.row, at.column)
      copied.set(cellKey(row, column), { source: sheet, cell, ...at, style })
    }
  const across = isRight ? { ...box, right: box.left } : { ...box, bottom: box.top }
  const source = from ? boxAt(from) : across
  return writeCopies(editor, sheet, box, copied, 'all', editor.writersOfSource(sheet, source))
}

/** As `set_cells` writes it: each cell decides for itself how the formula is stored there. */
function formulaWrites(editor: Editor, sheet: Sheet, box: Box, formula: string): CellWrite[] {
  const at = { sheet, row: box.top, column: box.left }
  const input = parseValue(editor.book, { formula }, true, at)
  if (typeof input === 'string' || isForeign(input))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `fill: formula ${typeof input === 'string' ? input : input.problem}`,
    )
  const { formula: typed } = input
  if (!typed) throw new Refusal('INVALID_ARGUMENT', 'fill: formula is empty')
  return cellsOf(box).map(({ row, column }) => {
    const text = shiftFormula(typed.text, row - box.top, column - box.left)
    return { row, column, input: { ...input, formula: { ...typed, text } } }
  })
}

function cellsOf(box: Box): CellAddress[] {
  const cells: CellAddress[] = []
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) cells.push({ row, column })
  return cells
}

/** `{start, by}`; with `unit` a series of dates by days, months or years. */
function seriesWrites(editor: Editor, sheet: Sheet, box: Box, fields: Fields): CellWrite[] {
  const series = (fields.series ?? {}) as { start?: unknown; by?: unknown; unit?: unknown }
  const { start, by } = seriesFrom(editor, sheet, box, series)
  const date = typeof start === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(start) ? start : undefined
  if (typeof start !== 'number' && date === undefined)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'fill: series needs start, a number or a date such as "2026-01-31", unless the first cell holds a number',
    )
  return cellsOf(box).map((at, index) => {
    const value =
      date === undefined
        ? Number(start) + by * index
        : { date: dateAfter(date, by * index, String(series.unit ?? 'day')) }
    const input = parseValue(editor.book, value, false)
    if (typeof input === 'string' || isForeign(input))
      throw new Refusal('INVALID_ARGUMENT', `fill: ${String(input)}`)
    return { ...at, input }
  })
}

/** Where a series begins and its step: what is not sent is what its first two cells hold. */
function seriesFrom(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  sent: { readonly start?: unknown; readonly by?: unknown; readonly unit?: unknown },
): { readonly start: unknown; readonly by: number } {
  const { book } = editor
  const isRow = box.left < box.right
  const ends = { ...box, ...(isRow ? { bottom: box.top } : { right: box.left }) }
  const at = isRow ? { row: box.top, column: box.left + 1 } : { row: box.top + 1, column: box.left }
  const now = shownIn(editor, sheet, { ...ends, bottom: Math.min(ends.bottom, at.row), right: Math.min(ends.right, at.column) }) // biome-ignore format: one line
  const first = now.get(cellKey(box.top, box.left))
  const second = now.get(cellKey(at.row, at.column))
  const [from, next] = [first, second].map(own =>
    own?.content.type === 'number' ? own.content.value : undefined,
  )
  const isStep = sent.start === undefined && sent.unit === undefined
  const step = isStep && from !== undefined && next !== undefined ? next - from : 1
  const by = typeof sent.by === 'number' ? sent.by : step
  if (sent.start !== undefined || sent.unit === undefined || from === undefined)
    return { start: sent.start ?? from, by }
  const isDate = first !== undefined && book.part.styles().isDate(first.style)
  const day = isDate ? dateOfSerial(from, book.part.is1904)?.slice(0, 10) : undefined
  if (day !== undefined) return { start: day, by }
  throw new Refusal(
    'INVALID_ARGUMENT',
    `fill: a series by ${String(sent.unit)} starts with a date, and the first cell holds ${from}; send start, such as "2026-01-31"`,
  )
}

function dateAfter(date: string, by: number, unit: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  if (unit.startsWith('day'))
    return new Date(Date.UTC(year, month - 1, day + by)).toISOString().slice(0, 10)
  const months = unit.startsWith('year') ? 12 * by : by
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last)))
    .toISOString()
    .slice(0, 10)
}
