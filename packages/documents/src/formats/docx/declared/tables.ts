import { optional } from '../../../fields/named-fields.ts'
import { shadingColor } from '../../../fields/shared-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, SIDES, TRACK } from './fields.ts'
import { meantTable } from './meant.ts'

const { table, row, column, cells, to_row, to_column, rows, columns, widths, header } = FIELDS
const { after_row, before_row, after_column, before_column } = FIELDS
const values = FIELDS.values.min(1)
const count = FIELDS.count.default(1)
const style = FIELDS.style.describe('Name of a table style of the document')

/** Operations on tables. Rows and columns count the visible grid from 1. */
export const TABLE_OPERATIONS = {
  insert_table: {
    takes: {
      values,
      ...BESIDE,
      ...optional({ style }),
      header: header.default(true),
      ...optional({ widths }),
    },
    understands: TRACK,
    either: SIDES,
    does: 'inserts a table of values that looks like the other tables',
    example: { values: [['Name', 'Amount'], ['Ann', 12]], after: 'p2' }, // biome-ignore format: rows
    synonyms: ['add_table', 'create_table', 'new_table'],
    meant: meantTable,
  },
  set_table: {
    takes: optional({ table, values: FIELDS.values, cells, row, column }),
    understands: TRACK,
    either: ['values', 'cells'],
    does: 'writes a block of values into a table from row and column on, looks kept; null leaves a cell',
    example: { table: 't1', values: [['Ann', 12]], row: 2 },
    synonyms: ['update_table', 'set_table_cells', 'set_cells', 'set_table_cell', 'edit_table'],
    meant: meantTable,
  },
  insert_table_rows: {
    takes: { ...optional({ table, after_row, before_row, values }), count },
    understands: TRACK,
    does: 'inserts rows that look like their neighbours, at the end unless a row is named',
    example: { table: 't1', values: [['Ann', 12]] },
    synonyms: ['add_table_rows', 'insert_table_row', 'add_table_row', 'insert_rows', 'add_rows'],
    meant: meantTable,
  },
  delete_table_rows: {
    takes: { ...optional({ table }), rows },
    understands: TRACK,
    does: 'deletes rows, by number or by the text of a cell; all rows delete the table',
    example: { table: 't1', rows: [2] },
    synonyms: ['delete_table_row', 'remove_table_rows', 'remove_table_row', 'delete_rows'],
    meant: meantTable,
  },
  insert_table_columns: {
    takes: { ...optional({ table, after_column, before_column, values }), count },
    understands: TRACK,
    does: 'inserts columns; values go from the top row down',
    example: { table: 't1', values: ['Note', 'new'], after_column: 1 },
    synonyms: ['add_table_columns', 'insert_table_column', 'add_table_column', 'insert_columns'],
    meant: meantTable,
  },
  delete_table_columns: {
    takes: { ...optional({ table }), columns },
    understands: TRACK,
    does: 'deletes columns, by number or by the text of the first row',
    example: { table: 't1', columns: [2] },
    synonyms: ['delete_table_column', 'remove_table_columns', 'remove_table_column'],
    meant: meantTable,
  },
  merge_table_cells: {
    takes: { ...optional({ table }), row, column, ...optional({ to_row, to_column }) },
    understands: TRACK,
    needs: ['to_row', 'to_column'],
    does: 'merges the cells between two corners',
    example: { table: 't1', row: 1, column: 1, to_row: 1, to_column: 2 },
    synonyms: ['merge_cells', 'merge_cell'],
    meant: meantTable,
  },
  format_table: {
    takes: optional({ table, widths, style, shading: shadingColor, rows, columns }),
    understands: TRACK,
    needs: ['widths', 'style', 'shading'],
    does: 'sets column widths in points, the table style, or the shading of rows and columns',
    example: { table: 't1', rows: 1, shading: 'D9E2F3' },
    synonyms: ['set_table_style', 'set_column_widths', 'shade_cells', 'set_table_format'],
    meant: meantTable,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
