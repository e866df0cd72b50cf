import { z } from 'zod'
import { LOOK_FIELDS } from './looks.ts'
import { OBJECT_FIELDS } from './objects.ts'

/** The fields of all operations. Each operation checks the fields it takes beyond their types. */
export const FIELDS = {
  sheet: z.coerce.string().optional().describe('Sheet name'),
  start: z.string().optional().describe('Starting cell for set_range'),
  values: z
    .array(z.union([z.array(z.unknown()), z.unknown()]))
    .optional()
    .describe('Rows of values for set_range; for pivots {field, function}'),
  cells: z
    .array(
      z.object({
        cell: z.string().describe('Address such as B2'),
        value: z.unknown().describe('Number, text, true/false, null or an object'),
      }),
    )
    .optional()
    .describe('Array of {cell, value} for set_cells'),
  range: z.string().optional().describe('Cell range such as A1:C10'),
  new_name: z.string().optional().describe('The new name of a sheet, table or name'),
  index: z.number().int().optional().describe('Position of a sheet, 0-based'),
  rows: z
    .union([z.array(z.unknown()), z.coerce.string()])
    .optional()
    .describe('Rows such as 3 or 5:9; fields of a pivot table'),
  columns: z
    .union([z.array(z.string()), z.coerce.string()])
    .optional()
    .describe('Columns such as B or D:F; fields of a pivot table'),
  widths: z.record(z.string(), z.unknown()).optional().describe('Column to width, or "auto"'),
  heights: z.record(z.string(), z.unknown()).optional().describe('Row to height, or "auto"'),
  search: z.string().optional().describe('Text to find'),
  replace: z
    .union([z.string(), z.boolean()])
    .optional()
    .describe('Replacement text; for set_style true: start from the plain look'),
  replacements: z
    .array(
      z.object({
        search: z.string().describe('Text to find'),
        replace: z.string().describe('New text'),
      }),
    )
    .optional()
    .describe('Several pairs of find_replace at once'),
  nth: z.number().int().optional().describe('Only this match of find_replace, from 1'),
  at: z
    .union([z.number(), z.string()])
    .optional()
    .describe('Row number or column letter of the first new line'),
  count: z.number().int().optional().describe('How many rows or columns, 1 unless given'),
  like: z
    .string()
    .optional()
    .describe('Look like above, below or none (inserted lines), or like these cells (set_style)'),
  where: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Which rows: {column, equals | not_equals | contains | empty | above | below}; equals: ["a", "b"] is any of them',
    ),
  records: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Rows by header for append_rows'),
  by: z
    .array(z.unknown())
    .optional()
    .describe('Sort keys: a column, or {column, descending: true}'),
  to: z
    .string()
    .optional()
    .describe('First cell of the new place; for convert_cells number, date, text, trim or split'),
  what: z.string().optional().describe('What copy_range copies: all, values, formulas, formats'),
  from: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe('The cell that fill copies; for copy_range {path, sheet, range} in another workbook'),
  series: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .optional()
    .describe('For fill {start, by, unit: day | month | year}; for charts a list'),
  formula: z
    .string()
    .optional()
    .describe('For fill and custom validations: the formula of the first cell'),
  pattern: z
    .boolean()
    .optional()
    .describe('true: fill goes on as its first two cells begin: Mon, Tue or 1, 3'),
  map: z.record(z.string(), z.unknown()).optional().describe('Old value to new value'),
  shift: z.string().optional().describe('Where cells beside go: down, right, up or left'),
  steps: z
    .array(z.union([z.string(), z.record(z.string(), z.unknown())]))
    .optional()
    .describe('What transform_cells does, in order: [{multiply: 1.05}, {round: 2}], ["trim"]'),
  keep: z
    .union([z.array(z.string()), z.string()])
    .optional()
    .describe('Columns that stay (unpivot)'),
  names: z.array(z.string()).optional().describe('Headers of the two new columns (unpivot)'),
  function: z.string().optional().describe('How values that meet become one (pivot_rows)'),
  wrap_formulas: z.boolean().optional().describe('Also around formulas (transform_cells)'),
  formulas: z.boolean().optional().describe('Take text that starts with "=" as a formula'),
  ...OBJECT_FIELDS,
  ...LOOK_FIELDS,
  filters: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'Column to values or a test: {"Region": ["North"], "D": {above: 5}}; for pivots a list of fields',
    ),
}
