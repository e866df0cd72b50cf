import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantChart, meantImage, meantPivot } from './meant-objects.ts'

/** Operations on what is drawn from cells or beside them: charts, pictures and pivot tables. */
export const DRAWN_OPERATIONS = {
  add_chart: {
    takes: [
      ...['sheet', 'type', 'source?', 'series?: [{name, values, categories}]', 'title?'],
      ...['x_title?', 'y_title?', 'legend?', 'stacked?', 'cell?', 'width?', 'height?', 'name?'],
    ],
    understands: ['categories', 'range', 'series_in'],
    does: 'draws a column, bar, line, area, pie, doughnut or scatter chart of cells or a table; a type in a series combines',
    synonyms: ['create_chart', 'insert_chart', 'new_chart', 'chart'],
    meant: meantChart,
  },
  edit_chart: {
    takes: [
      ...['sheet', 'chart', 'type?', 'source?', 'series?', 'title?', 'x_title?', 'y_title?'],
      ...['legend?', 'stacked?', 'cell?', 'width?', 'height?', 'new_name?'],
    ],
    understands: ['categories', 'range', 'series_in'],
    does: 'changes a chart: its kind, cells, titles, legend, place or size',
    synonyms: ['update_chart', 'set_chart', 'move_chart', 'modify_chart'],
    meant: meantChart,
  },
  remove_chart: {
    takes: ['sheet', 'chart'],
    does: 'removes a chart',
    synonyms: ['delete_chart'],
    meant: meantChart,
  },
  add_image: {
    takes: ['sheet', 'image', 'cell?', 'width?', 'height?', 'alt?', 'name?'],
    files: ['image'],
    does: 'puts a picture of the workspace on a sheet',
    synonyms: ['insert_image', 'add_picture', 'insert_picture', 'image'],
    meant: meantImage,
  },
  replace_image: {
    takes: ['sheet', 'picture', 'image', 'alt?'],
    files: ['image'],
    does: 'shows another picture in the same frame',
    synonyms: ['replace_picture', 'update_image', 'swap_image'],
    meant: meantImage,
  },
  move_image: {
    takes: ['sheet', 'picture', 'cell?', 'width?', 'height?', 'alt?', 'new_name?'],
    does: 'moves, resizes or describes a picture',
    synonyms: ['move_picture', 'resize_image', 'edit_image', 'edit_picture'],
    meant: meantImage,
  },
  remove_image: {
    takes: ['sheet', 'picture'],
    does: 'removes a picture',
    synonyms: ['delete_image', 'remove_picture', 'delete_picture'],
    meant: meantImage,
  },
  add_pivot: {
    takes: [
      'sheet',
      'source',
      'rows',
      'columns?',
      'values: [{field, function}]',
      'filters?',
      'cell?',
      'name?',
    ],
    does: 'adds a pivot table of a range or table, read again when the file is opened',
    synonyms: ['create_pivot', 'add_pivot_table', 'create_pivot_table', 'pivot_table', 'pivot'],
    meant: meantPivot,
  },
  edit_pivot: {
    takes: ['pivot', 'rows?', 'columns?', 'values?', 'filters?', 'source?', 'new_name?'],
    understands: ['sheet'],
    does: 'changes the fields, source or name of a pivot table',
    synonyms: ['update_pivot', 'edit_pivot_table', 'set_pivot', 'update_pivot_table'],
    meant: meantPivot,
  },
  remove_pivot: {
    takes: ['pivot'],
    understands: ['sheet'],
    does: 'removes a pivot table with its cells',
    synonyms: ['delete_pivot', 'delete_pivot_table', 'remove_pivot_table'],
    meant: meantPivot,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
