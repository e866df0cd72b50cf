import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { fileFacts, textFacts } from '../file-fields.ts'
import { meantLines } from '../meant-lines.ts'
import { selectorFields } from './selectors.ts'

export const readFile = defineTool({
  name: 'read_file',
  label: 'Reading {path}',
  summary: 'Read a region of a file: lines of a text, a range of a sheet.',
  guidance:
    'Call get_file_info first for the structural map, then read the regions you need. Selectors belong to formats: sheet and range (xlsx), line_start and line_count (text). Every answer says which part it is, how much there is, and the arguments that read the next part. Lines are shown as `12|text`: the number and the bar are not part of the file. You see the draft: what you changed is what you read.',
  input: z.object({
    path: z.string().describe('File path'),
    ...selectorFields(),
    styles: z.boolean().optional().describe('Also tell cell styles (xlsx)'),
  }),
  output: z.looseObject({
    ...fileFacts,
    content: z.string().optional().describe('Verbatim text (text files)'),
    lineStart: z.number().int().optional().describe('First line shown (text)'),
    lineCount: z.number().int().optional().describe('How many lines are shown (text)'),
    totalLines: z.number().int().optional().describe('Lines of the whole file (text)'),
    isTruncated: z.boolean().optional().describe('Less than the whole file is shown (text)'),
    ...textFacts,
    sheet: z.string().optional().describe('Its name (xlsx)'),
    range: z.string().optional().describe('The cells shown (xlsx)'),
    usedRange: z.string().optional().describe('All cells of the sheet (xlsx)'),
    isUsedRangeExact: z
      .boolean()
      .optional()
      .describe('False where the sheet says more than was looked at (xlsx)'),
    cells: z
      .array(
        z.looseObject({
          cell: z.string().describe('Address such as B2'),
          value: z.unknown().optional().describe('Number, text, true/false or null'),
          text: z.string().optional().describe('As its format shows it, where that differs'),
          date: z.string().optional().describe('What a date or time says, ISO 8601'),
          formula: z.string().optional().describe('With its ='),
          arrayRange: z.string().optional().describe('The cells that an array formula fills'),
          isStale: z
            .boolean()
            .optional()
            .describe('The value is calculated when the file is opened in a spreadsheet program'),
        }),
      )
      .optional()
      .describe('Those that hold something (xlsx)'),
    merges: z.array(z.string()).nullable().optional().describe('Merged ranges; null: see the map'),
    comments: z.array(z.looseObject({})).optional().describe('Of the cells shown (xlsx)'),
    hiddenRows: z.array(z.unknown()).optional().describe('Of those shown (xlsx)'),
    hiddenColumns: z.array(z.unknown()).optional().describe('Of those shown (xlsx)'),
    shown: z.string().describe('Which part this is'),
    total: z.string().describe('How much there is'),
    next: z.looseObject({}).nullable().describe('Selectors of the next part; null at the end'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  meant: meantLines('line_start', 'line_count'),
})
