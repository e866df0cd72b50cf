import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import { shadingColor } from '../../../fields/shared-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS, OLDER } from './fields.ts'
import { meantTable } from './meant.ts'

const { index, table, values, row, column, cells, rows, columns, header, banded } = FIELDS
const { after_row, before_row, after_column, before_column, count } = FIELDS
const widths = z.array(z.number().gt(0).lt(5000)).describe(FIELDS.widths.description!)

/** Operations on tables. Rows and columns count from 1. */
export const TABLE_OPERATIONS = {
  set_table: {
    takes: { index, ...optional({ table, values, row, column, cells }) },
    either: ['values', 'cells'],
    spellings: OLDER,
    does: 'writes values into a table from row and column on, looks kept; null leaves a cell',
    example: { index: 0, values: [['a', 'b']], row: 2 },
    synonyms: ['update_table', 'set_table_cells', 'set_cells', 'set_table_cell', 'edit_table'],
    meant: meantTable,
  },
  insert_table_rows: {
    takes: {
      index,
      ...optional({ table, after_row, before_row, values }),
      count: count.default(1),
    },
    spellings: OLDER,
    does: 'inserts rows that look like their neighbour, at the end unless a row is named',
    example: { index: 0, values: [['Bread', 3]] },
    synonyms: ['add_table_rows', 'insert_table_row', 'add_table_row', 'insert_rows', 'add_rows'],
    meant: meantTable,
  },
  delete_table_rows: {
    takes: { index, ...optional({ table }), rows },
    spellings: OLDER,
    does: 'deletes rows',
    example: { index: 0, rows: [2] },
    synonyms: ['delete_table_row', 'remove_table_rows', 'remove_table_row', 'delete_rows'],
    meant: meantTable,
  },
  insert_table_columns: {
    takes: {
      index,
      ...optional({ table, after_column, before_column, values }),
      count: count.default(1),
    },
    spellings: OLDER,
    does: 'inserts columns; values is a list for each row, or for each new column; the table keeps its width',
    example: { index: 0, values: ['Note', 'new'], after_column: 1 },
    synonyms: ['add_table_columns', 'insert_table_column', 'add_table_column', 'insert_columns'],
    meant: meantTable,
  },
  delete_table_columns: {
    takes: { index, ...optional({ table }), columns },
    spellings: OLDER,
    does: 'deletes columns; the table keeps its width',
    example: { index: 0, columns: [2] },
    synonyms: ['delete_table_column', 'remove_table_columns', 'remove_table_column'],
    meant: meantTable,
  },
  format_table: {
    takes: {
      index,
      ...optional({ table, shading: shadingColor, rows, columns, header, banded, widths }),
    },
    needs: ['shading', 'header', 'banded', 'widths'],
    spellings: OLDER,
    does: 'sets column widths, header and banding, or the shading of rows and columns',
    example: { index: 0, rows: 1, shading: 'D9E2F3' },
    synonyms: ['set_table_style', 'set_column_widths', 'shade_cells', 'set_table_format'],
    meant: meantTable,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
