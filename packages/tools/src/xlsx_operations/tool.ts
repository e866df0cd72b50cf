import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { editedFields } from '../file-fields.ts'
import { jsonListOrNone } from '../json-list.ts'
import { lackedOperations } from './lacks.ts'
import { meantOperations } from './meant.ts'

const OPERATIONS = [
  'ensure_sheet',
  'set_cells',
  'set_range',
  'delete_sheet',
  'rename_sheet',
  'move_sheet',
  'copy_sheet',
  'clear_range',
  'merge_cells',
  'unmerge_cells',
  'hide',
  'show',
  'set_column_widths',
  'set_row_heights',
  'find_replace',
] as const

export const xlsxOperations = defineTool({
  name: 'xlsx_operations',
  label: 'Editing {path}',
  summary: 'Apply operations to a spreadsheet (xlsx, xlsm, xltx), in the draft, all or none.',
  guidance: [
    'set_range {sheet, start, values} writes a block of rows; set_cells {sheet, cells: [{cell, value}]} single cells; ensure_sheet {sheet} makes a sheet when it is missing.',
    'A value is a number, text, true, false, null (clears), {formula: "SUM(A1:A3)"}, {date: "2026-01-31"}, {error: "#N/A"} or {rich_text: [{text, bold}]}; text that starts with "=" stays text unless you send {formula} or formulas: true.',
    'rename_sheet and copy_sheet {sheet, new_name}; move_sheet {sheet, index}; delete_sheet {sheet}; clear_range, merge_cells, unmerge_cells {sheet, range}; hide and show {sheet, rows?, columns?}; set_column_widths {sheet, widths: {"A": 12}}; set_row_heights {sheet, heights: {"1": 20}}; find_replace {search, replace, sheet?, range?}.',
    'Formatting, charts and everything you do not name stay as they are. For a translated or changed copy pass copy_from.',
  ].join('\n'),
  input: z.object({
    path: z.string().describe('File path'),
    create_if_missing: z.boolean().optional().describe("Create the file if it doesn't exist"),
    create_new: z.boolean().optional().describe('Alias of create_if_missing'),
    copy_from: z.string().optional().describe('Begin with a copy of this file'),
    operations: jsonListOrNone(
      z.looseObject({
        op: z.enum(OPERATIONS).describe('What to do'),
        sheet: z.string().optional().describe('Sheet name'),
        start: z.string().optional().describe('Starting cell for set_range'),
        values: z.array(z.array(z.unknown())).optional().describe('Rows of values for set_range'),
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
        new_name: z.string().optional().describe('For rename_sheet and copy_sheet'),
        index: z.number().int().optional().describe('Position of a sheet, 0-based'),
        rows: z.coerce.string().optional().describe('Rows such as 3 or 5:9, for hide and show'),
        columns: z.coerce
          .string()
          .optional()
          .describe('Columns such as B or D:F, for hide and show'),
        widths: z.record(z.string(), z.number()).optional().describe('Column to width'),
        heights: z.record(z.string(), z.number()).optional().describe('Row to height'),
        search: z.string().optional().describe('Text to find'),
        replace: z.string().optional().describe('What stands there instead'),
        formulas: z.boolean().optional().describe('Take text that starts with "=" as a formula'),
      }),
    ).describe('In order, all or none; empty only to create or copy a file'),
    allow_protected: z.boolean().optional().describe('Edit although the sheet is protected'),
    allow_break_signature: z.boolean().optional().describe('Edit although that breaks a signature'),
  }),
  output: z.looseObject(editedFields),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'draft',
  failures: {},
  understands: ['find', 'name', 'to', 'position', 'match_case', 'case_sensitive', 'whole_cell'],
  meant: given => meantOperations(given, OPERATIONS),
  lacks: given => lackedOperations(given, OPERATIONS),
})
