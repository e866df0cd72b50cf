import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { PART_OF_A_TEXT } from '../instead.ts'
import { jsonList } from '../json-list.ts'

export const workspaceEditFile = defineTool({
  name: 'workspace_edit_file',
  label: 'Editing {path}',
  summary:
    'Replace exact pieces of text in a source file; a person approves the change before it is written.',
  guidance:
    'Each search must occur in the file exactly once, white space included; add lines around it until it does, or pass all: true to replace every one. Copy the text from workspace_read_file without the `12|` prefixes. All edits are made or none.',
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
  output: z.looseObject({
    path: z.string().describe('Spelling on disk'),
    docPath: z.string().describe('The key: lower case'),
    sha256: z.string().nullable().describe('Of the file now'),
    version: z.string().nullable().describe('Of the file now: the base of the next change'),
    diff: z.string().optional().describe('Unified diff of what was written'),
    refusedChanges: z.array(z.unknown()).describe('What the person did not accept'),
  }),
  executionLocation: 'client',
  toolsets: ['workspace'],
  window: 'small',
  writes: 'workspace',
  isBasic: true,
  failures: {},
  instead: PART_OF_A_TEXT,
})
