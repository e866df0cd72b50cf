import type { Operation } from '@filewright/protocol'
import { toRunner } from '../../../operation-arguments.ts'
import { OPERATIONS } from '../declared/operations.ts'
import { sheetNames } from './arguments.ts'
import { clearRange, setCells, setRange } from './cells.ts'
import { convertCells, replaceValues } from './convert-cells.ts'
import { copyRange } from './copy-cells.ts'
import type { Editor } from './editor.ts'
import { fill } from './fill/fill.ts'
import { findReplace } from './find-replace.ts'
import { freezeValues } from './in-place/freeze-values.ts'
import { transformCells } from './in-place/transform-cells.ts'
import { hide, mergeCells, setColumnWidths, setRowHeights, show, unmergeCells } from './layout.ts'
import { LOOK_HANDLERS } from './looks/index.ts'
import { OBJECT_HANDLERS } from './objects/index.ts'
import { tablesInWords } from './objects/object-fields.ts'
import { pivotRows } from './reshape/pivot-rows.ts'
import { subtotalRows } from './reshape/subtotal-rows.ts'
import { unpivot } from './reshape/unpivot.ts'
import { appendRows } from './rows/append-rows.ts'
import { deleteColumns, deleteRows, insertColumns, insertRows } from './rows/lines.ts'
import { deleteCells, insertCells, moveRange, removeDuplicates } from './rows/shift-cells.ts'
import { sortRange } from './rows/sort.ts'
import { copySheet, deleteSheet, ensureSheet, moveSheet, renameSheet } from './sheets.ts'

/** One handler per declared operation. */
const HANDLERS = {
  ensure_sheet: ensureSheet,
  delete_sheet: deleteSheet,
  rename_sheet: renameSheet,
  move_sheet: moveSheet,
  copy_sheet: copySheet,
  set_cells: setCells,
  set_range: setRange,
  clear_range: clearRange,
  merge_cells: mergeCells,
  unmerge_cells: unmergeCells,
  hide,
  show,
  set_column_widths: setColumnWidths,
  set_row_heights: setRowHeights,
  find_replace: findReplace,
  insert_rows: insertRows,
  delete_rows: deleteRows,
  insert_columns: insertColumns,
  delete_columns: deleteColumns,
  append_rows: appendRows,
  sort_range: sortRange,
  move_range: moveRange,
  copy_range: copyRange,
  fill,
  remove_duplicates: removeDuplicates,
  convert_cells: convertCells,
  replace_values: replaceValues,
  freeze_values: freezeValues,
  transform_cells: transformCells,
  unpivot,
  pivot_rows: pivotRows,
  subtotal_rows: subtotalRows,
  insert_cells: insertCells,
  delete_cells: deleteCells,
  ...LOOK_HANDLERS,
  ...OBJECT_HANDLERS,
}

export const runOperation = toRunner<Editor, typeof OPERATIONS>(OPERATIONS, HANDLERS, {
  sheet: ({ book }) => `the sheets are ${sheetNames(book).join(', ')}`,
  table: ({ book }) => tablesInWords(book),
})

const ON_THE_LIST: ReadonlySet<string> = new Set([
  'ensure_sheet',
  'delete_sheet',
  'rename_sheet',
  'move_sheet',
  'copy_sheet',
])

/** It changes the list of sheets or their visibility, which a workbook may protect. */
export function changesStructure({ op, rows, columns, sheet = null }: Operation): boolean {
  const isOfSheet = (op === 'hide' || op === 'show') && rows === undefined && columns === undefined
  return isOfSheet || (op === 'unprotect' && sheet === null) || ON_THE_LIST.has(op)
}
