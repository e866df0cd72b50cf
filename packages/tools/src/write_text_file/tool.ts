import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { editedFields } from '../file-fields.ts'
import { WHOLE_TEXT } from '../instead.ts'

export const writeTextFile = defineTool({
  name: 'write_text_file',
  label: 'Writing {path}',
  summary:
    'Write or create a text file (md, txt, csv, json, code …) in the draft, with its full content.',
  guidance:
    'For new files and full replacements; to change part of a file use edit_text_file. Writes UTF-8 without BOM and \\n; a file that had \\r\\n keeps it unless eol is "lf". Not for office, pdf or image files.',
  input: z.object({
    path: z.string().describe('File path'),
    content: z.string().describe('The whole text of the file'),
    eol: z.enum(['lf']).optional().describe('Write \\n even where the file had \\r\\n'),
  }),
  output: z.looseObject(editedFields),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'draft',
  isBasic: true,
  failures: {},
  instead: WHOLE_TEXT,
})
