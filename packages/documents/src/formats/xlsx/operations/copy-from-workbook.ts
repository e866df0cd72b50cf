import { type Box, counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import { Book } from '../book/book.ts'
import { defaultStyles } from '../book/default-style.ts'
import { runsOf } from '../book/rich-text.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { openWorkbook } from '../book/workbook-part.ts'
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
import { type CellContent, type CellData, type CellNow, EMPTY_CONTENT } from '../cell/cells.ts'
import { DAYS_1904 } from '../cell/styles.ts'
import { findStale } from '../formula/dependants.ts'
import { PlacedFormulas } from '../formula/placed-formulas.ts'
import { findReferences } from '../formula/references.ts'
import { boxField, cellField, gridField, sheetField } from './arguments.ts'
import { cellsIn, type Editor } from './editor.ts'
import { refuseInsideArrays, refuseTooMany } from './guards.ts'
import { valuesIn } from './values.ts'

/** Whether cells are copied from another workbook: `from: {path, sheet, range}`. */
export function namesWorkbook({ from }: Fields): boolean {
  return isFields(from)
}

/** The cells of another workbook, as the log pins it. Their number formats come along, other looks do not. */
export function copyFromWorkbook(editor: Editor, fields: Fields): OperationResult {
  const what = String(fields.what ?? 'all')
  if (what !== 'all' && what !== 'values' && what !== 'formulas')
    throw new Refusal(
      'INVALID_ARGUMENT',
      'copy_range: from another workbook, what is all, values or formulas; formats are not copied from there',
    )
  const target = gridField(editor.book, fields)
  const at = cellField(target, fields, 'to')
  const source = sourceOf(editor, fields)
  const { sheet, box, path } = source
  refuseTooMany(box, 'copy_range')
  const to = {
    top: at.row,
    left: at.column,
    bottom: at.row + box.bottom - box.top,
    right: at.column + box.right - box.left,
  }
  if (to.bottom > MAX_ROW || to.right > MAX_COLUMN)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${boxName(box)} does not fit below and right of ${cellName(at.row, at.column)}`,
    )
  refuseInsideArrays(target, to)
  const cells = valuesIn(source.book, sheet, box)
  const now = cellsIn(editor.book, target, to)
  const formulas = new PlacedFormulas(editor.book, target)
  const styleOf = defaultStyles(target)
  let count = 0
  for (let row = to.top; row <= to.bottom; row++)
    for (let column = to.left; column <= to.right; column++) {
      const cell = cells.get(cellKey(row - to.top + box.top, column - to.left + box.left))
      const known = now.get(cellKey(row, column))
      if (!cell && !known) continue
      const style = known?.style ?? styleOf(row, column)
      const before = known ?? { row, column, style, content: EMPTY_CONTENT }
      const edit = cell
        ? copyOf(editor, formulas, source, cell, before, what)
        : { content: null, style: before.style }
      if (editor.writeCell(target, before, edit)) count++
    }
  if (what === 'all') warnOfLooks(editor, source)
  return {
    op: 'copy_range',
    sheet: target.name,
    range: boxName(to),
    cellCount: count,
    message: `Copied ${what === 'all' ? '' : `the ${what} of `}${placeOf(sheet.name, boxName(box))} in ${JSON.stringify(path)} to ${placeOf(target.name, boxName(to))}; ${counted(count, 'cell')} changed.`,
  }
}

interface Source {
  readonly path: string
  readonly book: Book
  readonly sheet: Sheet
  readonly box: Box
}

function sourceOf(editor: Editor, fields: Fields): Source {
  const from = fields.from as Fields
  const path = String(from.path ?? '')
  const bytes = editor.input(path)
  if (!bytes)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'copy_range: from is {"path": "other.xlsx", "sheet": "Data", "range": "A1:C10"}',
    )
  const part = openWorkbook(bytes)
  if (!part.ok)
    throw new Refusal(
      'UNREADABLE_FORMAT',
      `${JSON.stringify(path)} cannot be read as a workbook: ${part.failure.message}`,
    )
  const book = new Book(part.value, { findStale })
  const [only, ...others] = book.sheets
  const named = from.sheet === undefined && only && others.length === 0 ? only.name : from.sheet
  if (named === undefined)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `copy_range: from needs sheet; the sheets of ${JSON.stringify(path)} are ${book.sheets.map(own => own.name).join(', ')}`,
    )
  const asked = { op: fields.op, ...from, sheet: named }
  const sheet = gridField(book, { ...asked, sheet: sheetField(book, asked).name })
  return { path, book, sheet, box: boxField(sheet, asked) }
}

function copyOf(
  { book }: Editor,
  formulas: PlacedFormulas,
  source: Source,
  cell: CellNow,
  before: CellData,
  what: 'all' | 'values' | 'formulas',
): CellEdit {
  const styles = book.part.styles()
  const pattern = source.book.part.styles().pattern(cell.style)
  const isDate = source.book.part.styles().isDate(cell.style)
  const isShown = what !== 'all' && (!isDate || styles.isDate(before.style))
  const style =
    isShown || styles.pattern(before.style) === pattern
      ? before.style
      : (styles.derive(before.style, pattern) ?? before.style)
  const { formula } = cell
  if (formula && what !== 'values') {
    const copied = formulas.copied(before, { ...cell, formula }, 'other workbook')
    const why = whyNotHere(formula, source.box)
    if (!copied || why !== undefined)
      throw new Refusal(
        'CONFLICT',
        `the formula of ${placeOf(source.sheet.name, cellName(cell.row, cell.column))} in ${JSON.stringify(source.path)} ${copied ? why : 'fills several cells'}; send what: "values" for its results`,
      )
    return { content: null, style, formula: copied }
  }
  if (cell.isStale)
    throw new Refusal(
      'CONFLICT',
      `${placeOf(source.sheet.name, cellName(cell.row, cell.column))} in ${JSON.stringify(source.path)} is a formula without a stored result, so there is no value to copy; ask for a copy saved by a spreadsheet program`,
    )
  return { content: contentOf(source, cell, isDate, book.part.is1904), style }
}

/** Why a formula would not mean the same in this workbook; undefined if it names copied cells alone. */
function whyNotHere({ text }: NonNullable<CellData['formula']>, box: Box): string | undefined {
  const { areas, names, structured, isDynamic } = findReferences(text)
  if (names.length > 0) return `uses the name ${names[0]}, which belongs to that workbook`
  if (structured.length > 0) return 'names columns of a table of that workbook'
  if (isDynamic || text.includes('[')) return 'reads cells that are only known when it is computed'
  const isInside = areas.every(
    ({ sheets, top, left, bottom, right }) =>
      sheets === undefined && contains(box, top, left) && contains(box, bottom, right),
  )
  const hasFixed = areas.some(
    own => own.fixedTop || own.fixedLeft || own.fixedBottom || own.fixedRight,
  )
  if (!isInside) return `names cells that are not copied (=${text})`
  return hasFixed ? `names fixed places (=${text}), which are others here` : undefined
}

function contentOf(
  { book, sheet }: Source,
  { content, formula, row, column }: CellData,
  isDate: boolean,
  is1904: boolean,
): CellContent | null {
  if (content.type === 'empty') return null
  if (content.type === 'number' && isDate && book.part.is1904 !== is1904)
    return { ...content, value: content.value + (is1904 ? -DAYS_1904 : DAYS_1904) }
  const xml = formula ? undefined : runsOf(book, sheet, row, column)
  return content.type === 'text' && xml !== undefined ? { ...content, xml } : content
}

function warnOfLooks(editor: Editor, { book, sheet, box }: Source): void {
  editor.warnings.push(
    'Number formats were copied from the other workbook; fonts, fills, borders and widths were not.',
  )
  const merges = book.mergesOf(sheet)
  if (merges.ok && merges.value.some(own => intersects(own, box)))
    editor.warnings.push(
      `Merged ranges of ${placeOf(sheet.name, boxName(box))} are not copied; merge_cells merges the copy.`,
    )
}
