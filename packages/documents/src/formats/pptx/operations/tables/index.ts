import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { TABLE_OPERATIONS } from '../../declared/tables.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { deleteTableColumns, insertTableColumns } from './columns.ts'
import { formatTable } from './format-table.ts'
import { deleteTableRows, insertTableRows } from './rows.ts'
import { setTable } from './set-table.ts'

export const TABLE_HANDLERS: OperationHandlers<DeckEditor, typeof TABLE_OPERATIONS> = {
  set_table: setTable,
  insert_table_rows: insertTableRows,
  delete_table_rows: deleteTableRows,
  insert_table_columns: insertTableColumns,
  delete_table_columns: deleteTableColumns,
  format_table: formatTable,
}
