import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import type { OperationDeclaration } from '../../../operation-table.ts'
import { DRAWN_OPERATIONS } from './drawings.ts'
import { cell, range, sheet, text, word } from './kinds.ts'
import {
  meantComment,
  meantLink,
  meantName,
  meantProperties,
  meantTable,
  meantValidation,
} from './meant-objects.ts'

const limit = z.union([z.number(), z.string()])

const FIELDS = {
  table: z.string().describe('Name of a table'),
  name: z.string().describe('Name of a table, a range, a chart or a pivot table'),
  style: z.string().describe('Table style such as TableStyleMedium2, or none'),
  header: z.boolean().describe('Whether the first row has headers'),
  totals: z
    .union([z.record(z.string(), z.unknown()), z.boolean()])

    .describe('Row of totals: {"Net": "sum"}; false takes it off'),
  refers_to: z.unknown().describe('What a name means, such as Sales!$B$2:$B$9 or 0.19'),
  scope: z.string().describe('Sheet of a name that is not for the whole workbook'),
  type: z.string().describe('Kind of a validation or a chart'),
  list: z
    .union([z.array(z.unknown()), z.string()])

    .describe('The values to choose from'),
  source: z.string().describe('Range, table or name that the values come from'),
  operator: z.string().describe('between, >=, <>, … for value'),
  min: limit.describe('Least value, date or length'),
  max: limit.describe('Greatest value, date or length'),
  value: limit.describe('For operator'),
  value2: limit.describe('Second limit'),
  prompt: z.string().describe('Shown when a cell is chosen'),
  error: z.string().describe('Shown for a value that is not allowed'),
  title: z.string().describe('Title of a prompt, a chart or the workbook'),
  level: z.string().describe('stop, warning or information'),
  blank: z.boolean().describe('Whether a cell may be empty'),
  cell: z.string().describe('Address such as B2'),
  text: z.string().describe('Text of a comment, or that a link shows'),
  author: z.string().describe('Who says it'),
  url: z.string().describe('Address that a link leads to'),
  location: z.string().describe('Place of the workbook such as Costs!A1'),
  chart: z
    .union([z.string(), z.number()])

    .describe('Name, title, cell or number of a chart'),
  categories: z.string().describe('Cells with the categories of a chart'),
  series_in: z.string().describe('Whether series are columns or rows of source'),
  x_title: z.string().describe('Title of the axis of categories'),
  y_title: z.string().describe('Title of the axis of values'),
  legend: z
    .union([z.string(), z.boolean()])

    .describe('bottom, top, left, right or none'),
  stacked: z.union([z.boolean(), z.string()]).describe('true, percent or false'),
  width: z.number().describe('Pixels'),
  height: z.number().describe('Pixels'),
  image: z.string().describe('Path of a picture file in the workspace'),
  picture: z
    .union([z.string(), z.number()])

    .describe('Name, cell or number of a picture'),
  alt: z.string().describe('What a picture shows, for readers who cannot see it'),
  pivot: z.string().describe('Name of a pivot table'),
  filters: z
    .union([z.array(z.unknown()), z.string()])

    .describe('Fields that filter a pivot table'),
  allow: z.array(z.string()).describe('What may be done on it: sort, filter, …'),
  password: z.string().describe('Refused: a log would keep it'),
  properties: z
    .record(z.string(), z.unknown())

    .describe('Of the workbook; null removes'),
  tooltip: z.string().describe('Shown over a link'),
}

const { refers_to, scope, min, max, value, value2, header, totals } = FIELDS
const name = z.string().min(1).describe('The name')
const newName = text().describe('The new name')
const style = z.string().describe('Table style such as TableStyleMedium2, or none')
const listed = z.union([z.string(), z.number(), z.boolean()])
const list = z.union([z.array(listed), z.string()]).describe(FIELDS.list.description!)
const meaning = z.union([z.string(), z.number(), z.boolean()]).describe(refers_to.description!)
const url = 2079 // Excel's limit
const message = 255

/** What a validation may be, and what the file calls it. */
export const VALIDATION_TYPES = {
  list: 'list',
  whole: 'whole',
  integer: 'whole',
  number: 'decimal',
  decimal: 'decimal',
  date: 'date',
  time: 'time',
  length: 'textLength',
  text_length: 'textLength',
  custom: 'custom',
  formula: 'custom',
  any: 'none',
} as const

const operator = word(
  [
    ...(['between', 'notBetween', 'equal', 'notEqual', 'greaterThan', 'lessThan'] as const),
    ...(['greaterThanOrEqual', 'lessThanOrEqual'] as const),
  ],
  {
    '=': 'equal',
    '==': 'equal',
    '!=': 'notEqual',
    '<>': 'notEqual',
    '>': 'greaterThan',
    '<': 'lessThan',
    '>=': 'greaterThanOrEqual',
    '<=': 'lessThanOrEqual',
  },
)

/** What a person may still do on a protected sheet; the file names what is forbidden. */
export const ALLOWED = {
  select_locked_cells: 'selectLockedCells',
  select_unlocked_cells: 'selectUnlockedCells',
  format_cells: 'formatCells',
  format_columns: 'formatColumns',
  format_rows: 'formatRows',
  insert_columns: 'insertColumns',
  insert_rows: 'insertRows',
  insert_hyperlinks: 'insertHyperlinks',
  delete_columns: 'deleteColumns',
  delete_rows: 'deleteRows',
  sort: 'sort',
  filter: 'autoFilter',
  pivot_tables: 'pivotTables',
  edit_objects: 'objects',
  edit_scenarios: 'scenarios',
} as const

const allowed = word(Object.keys(ALLOWED) as (keyof typeof ALLOWED)[])

/** Operations on the objects of a workbook: each thing that can be added can be changed and removed. */
export const OBJECT_OPERATIONS = {
  add_table: {
    takes: {
      sheet,
      range,
      ...optional({
        name: text().describe('Name of the table'),
        style,
        totals,
        header: header.describe(
          'false: the range has no header, so one is written above it; true if left out',
        ),
      }),
    },
    does: 'makes a table of a range whose first row has the headers',
    example: { sheet: 'Data', range: 'A1:C3', name: 'Deals' },
    synonyms: ['create_table', 'insert_table', 'make_table', 'format_as_table'],
    meant: meantTable,
  },
  edit_table: {
    takes: {
      table: FIELDS.table,
      ...optional({ new_name: newName, range, style, totals, header }),
    },
    understands: optional({ sheet }),
    does: 'renames, resizes or restyles a table, with or without totals and header',
    example: { table: 'Sales', new_name: 'Deals' },
    synonyms: ['update_table', 'rename_table', 'resize_table', 'set_table', 'set_table_style'],
    meant: meantTable,
  },
  remove_table: {
    takes: { table: FIELDS.table },
    understands: optional({ sheet }),
    does: 'makes a table plain cells; formulas follow',
    example: { table: 'Sales' },
    synonyms: ['delete_table', 'convert_to_range', 'table_to_range'],
    meant: meantTable,
  },
  define_name: {
    takes: { name, refers_to: meaning, ...optional({ scope }) },
    understands: optional({ sheet }),
    does: 'gives cells, a value or a formula a name',
    example: { name: 'Total', refers_to: 'Data!$C$2:$C$3' },
    synonyms: ['add_name', 'create_name', 'define_named_range', 'add_named_range', 'named_range'],
    meant: meantName,
  },
  edit_name: {
    takes: { name, ...optional({ new_name: newName, refers_to: meaning, scope }) },
    understands: optional({ sheet }),
    does: 'renames a name, or gives it another meaning',
    example: { name: 'Rate', refers_to: 0.2 },
    synonyms: ['update_name', 'rename_name', 'set_name'],
    meant: meantName,
  },
  remove_name: {
    takes: { name, ...optional({ scope }) },
    understands: optional({ sheet }),
    does: 'removes a name that nothing uses',
    example: { name: 'Rate' },
    synonyms: ['delete_name', 'delete_named_range', 'remove_named_range'],
    meant: meantName,
  },
  data_validation: {
    takes: {
      sheet,
      range,
      ...optional({
        type: word(Object.keys(VALIDATION_TYPES) as (keyof typeof VALIDATION_TYPES)[]).describe(
          'What the cells may hold; a list where list or source is given',
        ),
        list,
        source: z.string().describe('Range, table or name with the values of a list'),
        min,
        max,
        operator: operator.describe(FIELDS.operator.description!),
        value,
        formula: z.string().describe('For custom: true for what is allowed'),
        prompt: text(message).describe(FIELDS.prompt.description!),
        error: text(message).describe(FIELDS.error.description!),
        level: word(['stop', 'warning', 'information']).describe('What an error does'),
        blank: FIELDS.blank,
      }),
    },
    understands: optional({ value2, title: text(32).describe('Title of the prompt') }),
    does: 'says what cells may hold: list, whole, decimal, date, time, length or custom',
    example: { sheet: 'Data', range: 'E1', type: 'list', list: ['a', 'b'] },
    synonyms: [
      ...['add_validation', 'set_validation', 'add_data_validation', 'set_data_validation'],
      ...['validation', 'add_dropdown', 'dropdown', 'edit_validation'],
    ],
    meant: meantValidation,
  },
  remove_validation: {
    takes: { sheet, range },
    does: 'lets cells hold any value again',
    example: { sheet: 'Data', range: 'E1' },
    synonyms: ['delete_validation', 'clear_validation', 'remove_data_validation'],
    meant: meantValidation,
  },
  set_comment: {
    takes: {
      sheet,
      cell,
      text: text()
        .refine(own => own.trim() !== '', 'is empty; remove_comment takes a comment away')
        .describe('The comment'),
      ...optional({ author: text().describe('Who says it') }),
    },
    does: 'comments on a cell, changes its note, or answers where people talk about it',
    example: { sheet: 'Data', cell: 'C3', text: 'Check' },
    synonyms: ['add_comment', 'add_note', 'set_note', 'comment', 'edit_comment', 'reply_comment'],
    meant: meantComment,
  },
  remove_comment: {
    takes: { sheet, cell },
    does: 'removes the comment of a cell',
    example: { sheet: 'Data', cell: 'B2' },
    synonyms: ['delete_comment', 'remove_note', 'delete_note', 'clear_comment'],
    meant: meantComment,
  },
  set_hyperlink: {
    takes: {
      sheet,
      cell,
      ...optional({
        url: text(url).describe(FIELDS.url.description!),
        location: text(url).describe(FIELDS.location.description!),
        text: text().describe('What the cell shows'),
        tooltip: text(255).describe(FIELDS.tooltip.description!),
      }),
    },
    needs: ['url', 'location'],
    spellings: { range: 'cell' },
    does: 'links cells to an address or a place of the workbook',
    example: { sheet: 'Data', cell: 'E9', url: 'https://a.example/' },
    synonyms: ['add_hyperlink', 'set_link', 'add_link', 'hyperlink', 'edit_hyperlink'],
    meant: meantLink,
  },
  remove_hyperlink: {
    takes: { sheet, cell },
    spellings: { range: 'cell' },
    does: 'takes links off cells; the text stays',
    example: { sheet: 'Data', cell: 'E9' },
    synonyms: ['delete_hyperlink', 'remove_link', 'delete_link', 'clear_hyperlink'],
    meant: meantLink,
  },
  ...DRAWN_OPERATIONS,
  protect: {
    takes: optional({
      sheet,
      allow: z
        .union([allowed, z.array(allowed)])
        .describe('What may still be done: sort, filter, format_cells, insert_rows, delete_rows …'),
    }),
    understands: optional({ password: FIELDS.password }),
    does: 'protects a sheet, or without one the list of sheets',
    example: { sheet: 'Data', allow: ['sort'] },
    synonyms: ['protect_sheet', 'protect_workbook', 'lock_sheet'],
  },
  unprotect: {
    takes: optional({ sheet }),
    does: 'takes the protection off a sheet or the list of sheets',
    example: { sheet: 'Data' },
    synonyms: ['unprotect_sheet', 'unprotect_workbook', 'unlock_sheet'],
  },
  set_properties: {
    takes: {
      properties: z
        .record(z.string(), text(255).nullable())
        .describe(
          'Title, subject, author, keywords, description, category, status, company or manager; null takes one away',
        ),
    },
    understands: optional({ sheet }),
    does: 'sets title, subject, author, keywords, description, category, status, company or manager of the workbook',
    example: { properties: { title: 'Report' } },
    synonyms: ['set_document_properties', 'document_properties', 'set_metadata', 'properties'],
    meant: meantProperties,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>

/** Fields that only these operations have. */
export const OBJECT_FIELDS = optional(FIELDS)
