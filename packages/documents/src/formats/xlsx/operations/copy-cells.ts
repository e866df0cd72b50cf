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
import { type CellContent, type CellData, EMPTY_CONTENT } from '../cell/cells.ts'
import { PlacedFormulas } from '../formula/placed-formulas.ts'
import { boxField, gridField, parseOwnCell } from './arguments.ts'
import { copyFromWorkbook, namesWorkbook } from './copy-from-workbook.ts'
import { cellsIn, type Editor } from './editor.ts'
import { arraysIn, refuseInsideArrays, refuseTooMany } from './guards.ts'
import { refuseUnknown, shownIn } from './values.ts'

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
export function sourceCells(
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

export interface Copy {
  readonly source: Sheet
  readonly cell: CellData | undefined
  readonly row: number
  readonly column: number
  /** Also where the cell is not in the file: it looks like its row or column. */
  readonly style: number
}

export function writeCopies(
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
