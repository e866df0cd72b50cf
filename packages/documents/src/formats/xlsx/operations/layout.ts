import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import type { LineEdit, Sheet } from '../book/sheet.ts'
import {
  boxName,
  columnName,
  contains,
  covers,
  intersects,
  isOneCell,
  parseBox,
  placeOf,
} from '../cell/address.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { boxField, gridField, sheetField } from './arguments.ts'
import { cellsIn, type Editor } from './editor.ts'
import { autoWidths } from './looks/auto-width.ts'
import { setLine } from './looks/style-painter.ts'
import { parseLines } from './rows/line-fields.ts'
import { setVisibility } from './sheets.ts'

export function mergeCells(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  if (isOneCell(box))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `merge_cells needs a range of two cells or more, not ${boxName(box)}`,
    )
  const merges = mergesOf(editor, sheet)
  if (merges.some(own => boxName(own) === boxName(box)))
    return {
      op: 'merge_cells',
      sheet: sheet.name,
      range: boxName(box),
      message: `${placeOf(sheet.name, boxName(box))} is merged already.`,
    }
  const crossing = merges.find(own => intersects(own, box))
  if (crossing)
    throw new Refusal(
      'CONFLICT',
      `${boxName(box)} overlaps the merged range ${boxName(crossing)}; unmerge that first`,
    )
  const table = tablesOf(editor.book.part, sheet).find(({ ref }) => {
    const own = parseBox(ref)
    return own !== undefined && intersects(own, box)
  })
  if (table)
    throw new Refusal(
      'CONFLICT',
      `${boxName(box)} reaches into the table ${table.name} (${table.ref}), and cells of a table cannot be merged; choose cells outside it`,
    )
  const hidden = [...cellsIn(editor.book, sheet, box).values()].filter(
    cell =>
      (cell.content.type !== 'empty' || cell.formula) &&
      !(cell.row === box.top && cell.column === box.left),
  )
  if (hidden.length > 0)
    throw new Refusal(
      'CONFLICT',
      `merging ${boxName(box)} would hide the values of ${counted(hidden.length, 'cell')} besides the first, such as ${boxName({ top: hidden[0]!.row, bottom: hidden[0]!.row, left: hidden[0]!.column, right: hidden[0]!.column })}; clear them first`,
    )
  const place = `${placeOf(sheet.name, boxName(box))} merged`
  if (editor.accepts(place)) {
    setMerges(editor, sheet, [...merges, box])
    editor.recordSheet(sheet, place, {
      kind: 'structure',
      before: null,
      after: { text: boxName(box) },
      // The values it would hide were cleared.
      dependsOn: editor.writersOfCells(sheet, box),
      carries: true,
    })
  }
  return {
    op: 'merge_cells',
    sheet: sheet.name,
    range: boxName(box),
    message: `Merged ${placeOf(sheet.name, boxName(box))}.`,
  }
}

export function unmergeCells(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  const merges = mergesOf(editor, sheet)
  const gone = merges.filter(
    own => covers(box, own) || (isOneCell(box) && contains(own, box.top, box.left)),
  )
  if (gone.length === 0)
    throw new Refusal(
      'NO_SUCH_REGION',
      `there is no merged range within ${placeOf(sheet.name, boxName(box))}`,
    )
  const place = `${placeOf(sheet.name, boxName(box))} unmerged`
  if (editor.accepts(place)) {
    setMerges(
      editor,
      sheet,
      merges.filter(own => !gone.includes(own)),
    )
    editor.recordSheet(sheet, place, {
      kind: 'structure',
      before: { text: gone.map(boxName).join(', ') },
      after: null,
      carries: true,
    })
  }
  return {
    op: 'unmerge_cells',
    sheet: sheet.name,
    range: boxName(box),
    message: `Unmerged ${counted(gone.length, 'range')} in ${placeOf(sheet.name, boxName(box))}.`,
  }
}

export function hide(editor: Editor, fields: Fields): OperationResult {
  return showOrHide(editor, fields, true)
}

export function show(editor: Editor, fields: Fields): OperationResult {
  return showOrHide(editor, fields, false)
}

/** Rows ("5:7"), columns ("C:D"), or, with neither, the sheet itself. */
function showOrHide(editor: Editor, fields: Fields, hidden: boolean): OperationResult {
  const sheet = sheetField(editor.book, fields)
  const op = hidden ? 'hide' : 'show'
  const done = hidden ? 'Hid' : 'Showed'
  if (fields.rows === undefined && fields.columns === undefined) {
    setVisibility(editor, sheet, hidden ? 'hidden' : 'visible')
    return { op, sheet: sheet.name, message: `${done} the sheet ${JSON.stringify(sheet.name)}.` }
  }
  gridField(editor.book, fields)
  const parts: string[] = []
  if (fields.rows !== undefined)
    parts.push(editLines(editor, sheet, 'rows', fields.rows, { hidden }))
  if (fields.columns !== undefined)
    parts.push(editLines(editor, sheet, 'columns', fields.columns, { hidden }))
  return {
    op,
    sheet: sheet.name,
    message: `${done} ${parts.join(' and ')} on ${JSON.stringify(sheet.name)}.`,
  }
}

export function setColumnWidths(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const parts = sizesOf(fields, 'widths', 'column', 255).map(([columns, size]) =>
    size === 'auto'
      ? fitColumns(editor, sheet, columns)
      : editLines(editor, sheet, 'columns', columns, { size }),
  )
  return {
    op: 'set_column_widths',
    sheet: sheet.name,
    message: `Set the width of ${parts.join(', ')} on ${JSON.stringify(sheet.name)}.`,
  }
}

export function setRowHeights(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const parts = sizesOf(fields, 'heights', 'row', 409).map(([rows, size]) =>
    editLines(editor, sheet, 'rows', rows, { size }),
  )
  return {
    op: 'set_row_heights',
    sheet: sheet.name,
    message: `Set the height of ${parts.join(', ')} on ${JSON.stringify(sheet.name)}.`,
  }
}

/** `{"A": 12, "C:E": 20}`. */
function sizesOf(
  fields: Fields,
  name: string,
  noun: string,
  limit: number,
): [string, number | 'auto'][] {
  const value = fields[name]
  const example = noun === 'column' ? '{"A": 12, "C:E": 20}' : '{"1": 30, "3:5": 18}'
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    Object.keys(value).length === 0
  )
    throw new Refusal('INVALID_ARGUMENT', `${fields.op} needs ${name}, such as ${example}`)
  return Object.entries(value).map(([lines, size]) => {
    if (size === 'auto') return [lines, size]
    if (typeof size === 'number' && size >= 0 && size <= limit) return [lines, size]
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op}: the size of ${noun} ${lines} is a number from 0 to ${limit}, or "auto"`,
    )
  })
}

/** As wide as their contents; a column without any stays as it is. */
function fitColumns(editor: Editor, sheet: Sheet, given: unknown): string {
  const { first, last } = parseLines('columns', given)
  const widths = autoWidths(editor, sheet, first, last)
  return editLines(editor, sheet, 'columns', given, { size: 'auto' }, column => {
    const size = widths.get(column)
    return size === undefined ? {} : { size }
  })
}

function editLines(
  editor: Editor,
  sheet: Sheet,
  axis: 'rows' | 'columns',
  given: unknown,
  edit: LineEdit,
  own: (line: number) => LineEdit = () => edit,
): string {
  const { first, last } = parseLines(axis, given)
  const name = axis === 'rows' ? `${first}:${last}` : `${columnName(first)}:${columnName(last)}`
  const word =
    edit.size === undefined
      ? edit.hidden
        ? 'hidden'
        : 'shown'
      : axis === 'rows'
        ? 'height'
        : 'width'
  const place = `${placeOf(sheet.name, name)} ${word}`
  if (editor.accepts(place)) {
    const lines = sheet[axis]
    for (let line = first; line <= last; line++) editor.onUndo(setLine(lines, line, own(line)))
    editor.recordSheet(sheet, place, {
      kind: 'structure',
      before: null,
      after: { text: edit.size === undefined ? word : String(edit.size) },
      carries: false,
    })
  }
  return `${axis} ${name}`
}

function mergesOf(editor: Editor, sheet: Sheet): readonly Box[] {
  const merges = editor.book.mergesOf(sheet)
  if (!merges.ok) throw new Refusal('UNREADABLE_FORMAT', merges.failure.message)
  return merges.value
}

function setMerges(editor: Editor, sheet: Sheet, merges: readonly Box[]): void {
  const before = sheet.merges
  sheet.merges = merges
  editor.onUndo(() => {
    sheet.merges = before
  })
}
