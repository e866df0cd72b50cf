import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantTable } from './meant.ts'

/** Operations on tables. Rows and columns count the visible grid from 1. */
export const TABLE_OPERATIONS = {
  insert_table: {
    takes: ['values', 'after | before', 'style?', 'header?', 'widths?'],
    understands: ['after', 'before', 'track'],
    does: 'inserts a table of values that looks like the other tables',
    synonyms: ['add_table', 'create_table', 'new_table'],
    meant: meantTable,
  },
  set_table: {
    takes: ['table', 'values', 'row?', 'column?', 'cells?: [{row, column, value}]'],
    understands: ['track'],
    does: 'writes a block of values into a table from row and column on, looks kept; null leaves a cell',
    synonyms: ['update_table', 'set_table_cells', 'set_cells', 'set_table_cell', 'edit_table'],
    meant: meantTable,
  },
  insert_table_rows: {
    takes: ['table', 'after_row? | before_row?', 'values?', 'count?'],
    understands: ['after_row', 'before_row', 'track'],
    does: 'inserts rows that look like their neighbours, at the end unless a row is named',
    synonyms: ['add_table_rows', 'insert_table_row', 'add_table_row', 'insert_rows', 'add_rows'],
    meant: meantTable,
  },
  delete_table_rows: {
    takes: ['table', 'rows'],
    understands: ['track'],
    does: 'deletes rows, by number or by the text of a cell; all rows delete the table',
    synonyms: ['delete_table_row', 'remove_table_rows', 'remove_table_row', 'delete_rows'],
    meant: meantTable,
  },
  insert_table_columns: {
    takes: ['table', 'after_column? | before_column?', 'values?', 'count?'],
    understands: ['after_column', 'before_column', 'track'],
    does: 'inserts columns; values go from the top row down',
    synonyms: ['add_table_columns', 'insert_table_column', 'add_table_column', 'insert_columns'],
    meant: meantTable,
  },
  delete_table_columns: {
    takes: ['table', 'columns'],
    understands: ['track'],
    does: 'deletes columns, by number or by the text of the first row',
    synonyms: ['delete_table_column', 'remove_table_columns', 'remove_table_column'],
    meant: meantTable,
  },
  merge_table_cells: {
    takes: ['table', 'row', 'column', 'to_row', 'to_column'],
    understands: ['track'],
    does: 'merges the cells between two corners',
    synonyms: ['merge_cells', 'merge_cell'],
    meant: meantTable,
  },
  format_table: {
    takes: ['table', 'widths?', 'style?', 'shading?', 'rows?', 'columns?'],
    understands: ['track'],
    does: 'sets column widths in points, the table style, or the shading of rows and columns',
    synonyms: ['set_table_style', 'set_column_widths', 'shade_cells', 'set_table_format'],
    meant: meantTable,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
