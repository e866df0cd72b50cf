import { z } from 'zod'
import type { OperationDeclaration } from '../../../operation-table.ts'
import {
  meantChart,
  meantComment,
  meantImage,
  meantLink,
  meantName,
  meantPivot,
  meantProperties,
  meantTable,
  meantValidation,
} from './meant-objects.ts'

/** Operations on the objects of a workbook: each thing that can be added can be changed and removed. */
export const OBJECT_OPERATIONS = {
  add_table: {
    takes: ['sheet', 'range', 'name?', 'style?', 'totals?: {column: function}', 'header?'],
    does: 'makes a table of a range whose first row has the headers',
    synonyms: ['create_table', 'insert_table', 'make_table', 'format_as_table'],
    meant: meantTable,
  },
  edit_table: {
    takes: ['table', 'new_name?', 'range?', 'style?', 'totals?', 'header?'],
    understands: ['sheet'],
    does: 'renames, resizes or restyles a table, with or without totals and header',
    synonyms: ['update_table', 'rename_table', 'resize_table', 'set_table', 'set_table_style'],
    meant: meantTable,
  },
  remove_table: {
    takes: ['table'],
    understands: ['sheet'],
    does: 'makes a table plain cells; formulas follow',
    synonyms: ['delete_table', 'convert_to_range', 'table_to_range'],
    meant: meantTable,
  },
  define_name: {
    takes: ['name', 'refers_to', 'scope?'],
    understands: ['sheet'],
    does: 'gives cells, a value or a formula a name',
    synonyms: ['add_name', 'create_name', 'define_named_range', 'add_named_range', 'named_range'],
    meant: meantName,
  },
  edit_name: {
    takes: ['name', 'new_name?', 'refers_to?', 'scope?'],
    understands: ['sheet'],
    does: 'renames a name, or gives it another meaning',
    synonyms: ['update_name', 'rename_name', 'set_name'],
    meant: meantName,
  },
  remove_name: {
    takes: ['name', 'scope?'],
    understands: ['sheet'],
    does: 'removes a name that nothing uses',
    synonyms: ['delete_name', 'delete_named_range', 'remove_named_range'],
    meant: meantName,
  },
  data_validation: {
    takes: [
      ...['sheet', 'range', 'type', 'list?', 'source?', 'min?', 'max?', 'operator?', 'value?'],
      ...['formula?', 'prompt?', 'error?', 'level?', 'blank?'],
    ],
    understands: ['value2', 'title'],
    does: 'says what cells may hold: list, whole, decimal, date, time, length or custom',
    synonyms: [
      ...['add_validation', 'set_validation', 'add_data_validation', 'set_data_validation'],
      ...['validation', 'add_dropdown', 'dropdown', 'edit_validation'],
    ],
    meant: meantValidation,
  },
  remove_validation: {
    takes: ['sheet', 'range'],
    does: 'lets cells hold any value again',
    synonyms: ['delete_validation', 'clear_validation', 'remove_data_validation'],
    meant: meantValidation,
  },
  set_comment: {
    takes: ['sheet', 'cell', 'text', 'author?'],
    does: 'comments on a cell, changes its note, or answers where people talk about it',
    synonyms: ['add_comment', 'add_note', 'set_note', 'comment', 'edit_comment', 'reply_comment'],
    meant: meantComment,
  },
  remove_comment: {
    takes: ['sheet', 'cell'],
    does: 'removes the comment of a cell',
    synonyms: ['delete_comment', 'remove_note', 'delete_note', 'clear_comment'],
    meant: meantComment,
  },
  set_hyperlink: {
    takes: ['sheet', 'cell', 'url?', 'location?', 'text?', 'tooltip?'],
    understands: ['range'],
    does: 'links cells to an address or a place of the workbook',
    synonyms: ['add_hyperlink', 'set_link', 'add_link', 'hyperlink', 'edit_hyperlink'],
    meant: meantLink,
  },
  remove_hyperlink: {
    takes: ['sheet', 'cell'],
    understands: ['range'],
    does: 'takes links off cells; the text stays',
    synonyms: ['delete_hyperlink', 'remove_link', 'delete_link', 'clear_hyperlink'],
    meant: meantLink,
  },
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
  protect: {
    takes: ['sheet?', 'allow?'],
    understands: ['password'],
    does: 'protects a sheet, or without one the list of sheets',
    synonyms: ['protect_sheet', 'protect_workbook', 'lock_sheet'],
  },
  unprotect: {
    takes: ['sheet?'],
    does: 'takes the protection off a sheet or the list of sheets',
    synonyms: ['unprotect_sheet', 'unprotect_workbook', 'unlock_sheet'],
  },
  set_properties: {
    takes: ['properties: {title, author, …}'],
    understands: ['sheet'],
    does: 'sets title, subject, author, keywords, description, category, status, company or manager of the workbook',
    synonyms: ['set_document_properties', 'document_properties', 'set_metadata', 'properties'],
    meant: meantProperties,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>

const limit = z.union([z.number(), z.string()])

/** Fields that only these operations have. */
export const OBJECT_FIELDS = {
  table: z.string().optional().describe('Name of a table'),
  name: z.string().optional().describe('Name of a table, a range, a chart or a pivot table'),
  style: z.string().optional().describe('Table style such as TableStyleMedium2, or none'),
  header: z.boolean().optional().describe('Whether the first row has headers'),
  totals: z
    .union([z.record(z.string(), z.unknown()), z.boolean()])
    .optional()
    .describe('Row of totals: {"Net": "sum"}; false takes it off'),
  refers_to: z.unknown().optional().describe('What a name means, such as Sales!$B$2:$B$9 or 0.19'),
  scope: z.string().optional().describe('Sheet of a name that is not for the whole workbook'),
  type: z.string().optional().describe('Kind of a validation or a chart'),
  list: z
    .union([z.array(z.unknown()), z.string()])
    .optional()
    .describe('The values to choose from'),
  source: z.string().optional().describe('Range, table or name that the values come from'),
  operator: z.string().optional().describe('between, >=, <>, … for value'),
  min: limit.optional().describe('Least value, date or length'),
  max: limit.optional().describe('Greatest value, date or length'),
  value: limit.optional().describe('For operator'),
  value2: limit.optional().describe('Second limit'),
  prompt: z.string().optional().describe('Shown when a cell is chosen'),
  error: z.string().optional().describe('Shown for a value that is not allowed'),
  title: z.string().optional().describe('Title of a prompt, a chart or the workbook'),
  level: z.string().optional().describe('stop, warning or information'),
  blank: z.boolean().optional().describe('Whether a cell may be empty'),
  cell: z.string().optional().describe('Address such as B2'),
  text: z.string().optional().describe('Text of a comment, or that a link shows'),
  author: z.string().optional().describe('Who says it'),
  url: z.string().optional().describe('Address that a link leads to'),
  location: z.string().optional().describe('Place of the workbook such as Costs!A1'),
  chart: z
    .union([z.string(), z.number()])
    .optional()
    .describe('Name, title, cell or number of a chart'),
  categories: z.string().optional().describe('Cells with the categories of a chart'),
  series_in: z.string().optional().describe('Whether series are columns or rows of source'),
  x_title: z.string().optional().describe('Title of the axis of categories'),
  y_title: z.string().optional().describe('Title of the axis of values'),
  legend: z
    .union([z.string(), z.boolean()])
    .optional()
    .describe('bottom, top, left, right or none'),
  stacked: z.union([z.boolean(), z.string()]).optional().describe('true, percent or false'),
  width: z.number().optional().describe('Pixels'),
  height: z.number().optional().describe('Pixels'),
  image: z.string().optional().describe('Path of a picture file in the workspace'),
  picture: z
    .union([z.string(), z.number()])
    .optional()
    .describe('Name, cell or number of a picture'),
  alt: z.string().optional().describe('What a picture shows, for readers who cannot see it'),
  pivot: z.string().optional().describe('Name of a pivot table'),
  filters: z
    .union([z.array(z.unknown()), z.string()])
    .optional()
    .describe('Fields that filter a pivot table'),
  allow: z.array(z.string()).optional().describe('What may be done on it: sort, filter, …'),
  password: z.string().optional().describe('Refused: a log would keep it'),
  properties: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Of the workbook; null removes'),
  tooltip: z.string().optional().describe('Shown over a link'),
}
