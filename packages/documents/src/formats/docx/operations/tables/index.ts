import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { TABLE_OPERATIONS } from '../../declared/tables.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { deleteColumns, insertColumns } from './columns.ts'
import { formatTable } from './format-table.ts'
import { insertTable } from './insert-table.ts'
import { mergeCells } from './merge-cells.ts'
import { deleteRows, insertRows } from './rows.ts'
import { setTable } from './set-table.ts'

export const TABLE_HANDLERS: OperationHandlers<DocumentEditor, typeof TABLE_OPERATIONS> = {
  insert_table: insertTable,
  set_table: setTable,
  insert_table_rows: insertRows,
  delete_table_rows: deleteRows,
  insert_table_columns: insertColumns,
  delete_table_columns: deleteColumns,
  merge_table_cells: mergeCells,
  format_table: formatTable,
}
