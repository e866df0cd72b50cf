import type { Operation } from '@filewright/protocol'
import type { OperationName } from '../declared/operations.ts'
import { clearRange, setCells, setRange } from './cells.ts'
import type { OperationHandler } from './editor.ts'
import { findReplace } from './find-replace.ts'
import { hide, mergeCells, setColumnWidths, setRowHeights, show, unmergeCells } from './layout.ts'
import { deleteColumns, deleteRows, insertColumns, insertRows } from './lines.ts'
import { copySheet, deleteSheet, ensureSheet, moveSheet, renameSheet } from './sheets.ts'

/** One handler per declared operation. */
export const OPERATIONS: Readonly<Record<OperationName, OperationHandler>> = {
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
}

const ON_THE_LIST: ReadonlySet<string> = new Set([
  'ensure_sheet',
  'delete_sheet',
  'rename_sheet',
  'move_sheet',
  'copy_sheet',
])

/** It changes the list of sheets or their visibility, which a workbook may protect. */
export function changesStructure({ op, rows, columns }: Operation): boolean {
  const isOfSheet = (op === 'hide' || op === 'show') && rows === undefined && columns === undefined
  return isOfSheet || ON_THE_LIST.has(op)
}
