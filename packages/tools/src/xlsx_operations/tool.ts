import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { editedFields } from '../file-fields.ts'
import { jsonList } from '../json-list.ts'

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
  guidance:
    'set_range {sheet, start, values} writes a block of rows; set_cells {sheet, cells: [{cell, value}]} single cells. A value is a number, text, true/false, null (clears), {formula: "SUM(A1:A3)"}, {date: "2026-01-31"}, {error: "#N/A"} or {rich: [{text, bold?}]}; text that starts with "=" stays text unless you send {formula}. Formatting, charts and everything you do not name stay as they are. ensure_sheet {sheet} makes a sheet when it is missing; rename_sheet {sheet, name}; move_sheet {sheet, index}; copy_sheet {sheet, name}; clear_range {sheet, range}; merge_cells and unmerge_cells {sheet, range}; hide and show {sheet, rows?, columns?}; set_column_widths {sheet, widths: {A: 12}}; set_row_heights {sheet, heights: {"1": 20}}; find_replace {sheet?, search, replace}. For a translated or changed copy pass copy_from.',
  input: z.object({
    path: z.string().describe('File path'),
    create_if_missing: z.boolean().optional().describe("Create the file if it doesn't exist"),
    create_new: z.boolean().optional().describe('Alias of create_if_missing'),
    copy_from: z.string().optional().describe('Begin with a copy of this file'),
    operations: jsonList(
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
      }),
    ).describe('In order, all or none'),
    allow_protected: z.boolean().optional().describe('Edit although the sheet is protected'),
    allow_break_signature: z.boolean().optional().describe('Edit although that breaks a signature'),
  }),
  output: z.looseObject(editedFields),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'draft',
  failures: {},
  paths: ['path'],
})
