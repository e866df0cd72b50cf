import { defineTool, regionFields } from '@filewright/protocol'
import { z } from 'zod'
import { fileFacts } from '../file-fields.ts'
import { meantLines } from '../meant-lines.ts'

export const readFile = defineTool({
  name: 'read_file',
  label: 'Reading {path}',
  summary: 'Read a region of a file: lines of a text, a range of a sheet.',
  guidance:
    'Call get_file_info first for the structural map, then read the regions you need. Selectors belong to formats: sheet and range (xlsx), line_start and line_count (text). Every answer says which part it is, how much there is, and the arguments that read the next part. Lines are shown as `12|text`: the number and the bar are not part of the file. You see the draft: what you changed is what you read.',
  input: z.object({
    path: z.string().describe('File path'),
    ...regionFields,
    styles: z.boolean().optional().describe('Also tell cell styles (xlsx)'),
  }),
  output: z.looseObject({
    ...fileFacts,
    content: z.string().optional().describe('Verbatim text (text files)'),
    shown: z.string().describe('Which part this is'),
    total: z.string().describe('How much there is'),
    next: z.looseObject({}).nullable().describe('Selectors of the next part; null at the end'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  paths: ['path'],
  meant: meantLines('line_start', 'line_count'),
})
