import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { editedFields } from '../file-fields.ts'
import { PART_OF_A_TEXT } from '../instead.ts'
import { jsonList } from '../json-list.ts'

export const editTextFile = defineTool({
  name: 'edit_text_file',
  label: 'Editing {path}',
  summary: 'Replace exact pieces of text in a file, in the draft.',
  guidance:
    'Each search must occur in the file exactly once, white space included; add lines around it until it does, or pass all: true to replace every one. Copy the text from read_file without the `12|` prefixes. All edits are made or none.',
  input: z.object({
    path: z.string().describe('File path'),
    edits: jsonList(
      z.object({
        search: z.string().min(1).describe('Exact text, unique in the file'),
        replace: z.string().describe('Replacement text'),
        all: z.boolean().optional().describe('Replace every occurrence'),
      }),
    ).describe('In order; each applies to the result of those before it'),
  }),
  output: z.looseObject(editedFields),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'draft',
  isBasic: true,
  failures: {},
  instead: PART_OF_A_TEXT,
})
