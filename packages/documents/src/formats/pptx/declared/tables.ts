import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantTable } from './meant.ts'

/** Operations on tables. Rows and columns count from 1. */
export const TABLE_OPERATIONS = {
  set_table: {
    takes: ['index', 'table?', 'values', 'row?', 'column?', 'cells?: [{row, column, value}]'],
    understands: ['slide_index'],
    does: 'writes values into a table from row and column on, looks kept; null leaves a cell',
    synonyms: ['update_table', 'set_table_cells', 'set_cells', 'set_table_cell', 'edit_table'],
    meant: meantTable,
  },
  insert_table_rows: {
    takes: ['index', 'table?', 'after_row? | before_row?', 'values?', 'count?'],
    understands: ['slide_index', 'after_row', 'before_row'],
    does: 'inserts rows that look like their neighbour, at the end unless a row is named',
    synonyms: ['add_table_rows', 'insert_table_row', 'add_table_row', 'insert_rows', 'add_rows'],
    meant: meantTable,
  },
  delete_table_rows: {
    takes: ['index', 'table?', 'rows'],
    understands: ['slide_index'],
    does: 'deletes rows',
    synonyms: ['delete_table_row', 'remove_table_rows', 'remove_table_row', 'delete_rows'],
    meant: meantTable,
  },
  insert_table_columns: {
    takes: ['index', 'table?', 'after_column? | before_column?', 'values?', 'count?'],
    understands: ['slide_index', 'after_column', 'before_column'],
    does: 'inserts columns; values is a list for each row, or for each new column; the table keeps its width',
    synonyms: ['add_table_columns', 'insert_table_column', 'add_table_column', 'insert_columns'],
    meant: meantTable,
  },
  delete_table_columns: {
    takes: ['index', 'table?', 'columns'],
    understands: ['slide_index'],
    does: 'deletes columns; the table keeps its width',
    synonyms: ['delete_table_column', 'remove_table_columns', 'remove_table_column'],
    meant: meantTable,
  },
  format_table: {
    takes: ['index', 'table?', 'shading?', 'rows?', 'columns?', 'header?', 'banded?', 'widths?'],
    understands: ['slide_index'],
    does: 'sets column widths, header and banding, or the shading of rows and columns',
    synonyms: ['set_table_style', 'set_column_widths', 'shade_cells', 'set_table_format'],
    meant: meantTable,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
