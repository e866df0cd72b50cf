import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { WHOLE_FILES } from '../instead.ts'
import { jsonList } from '../json-list.ts'

const from = z.string().describe('The current path')
const to = z.string().describe('The new path; no file may be there')

const operation = z.discriminatedUnion('op', [
  z.object({ op: z.literal('copy').describe('Copy a file'), from, to }),
  z.object({ op: z.literal('move').describe('Move or rename a file'), from, to }),
  z.object({
    op: z.literal('delete').describe('Delete a file'),
    path: z.string().describe('The file to delete'),
  }),
  z.object({
    op: z.literal('export').describe('Write a spreadsheet, document or presentation as a PDF'),
    path: z.string().describe('The file to export'),
    to: z.string().describe('The PDF to write, ending in .pdf; no file may be there'),
  }),
])

export const fileOperations = defineTool({
  name: 'file_operations',
  label: 'Arranging files',
  summary: 'Copy, move or delete files of any format, or export them as PDF, inside the draft.',
  guidance:
    'op copy and move take from and to, delete takes path; export takes path and to, and needs LibreOffice. A target that exists is refused: delete it first if you mean to replace it. Another spelling of its own name (Readme.md to README.md) is a move too. Folders are created as needed. Nothing on disk changes until the person publishes.',
  input: z.object({ operations: jsonList(operation).describe('In order, all or none') }),
  output: z.object({
    draftId: z.string().nullable().describe('The draft that holds it'),
    results: z
      .array(
        z.object({
          op: z.string().describe('The operation'),
          path: z.string().describe('The file it created or removed'),
          message: z.string().describe('What it did'),
        }),
      )
      .describe('One for each operation, in order'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'draft',
  failures: { NO_OFFICE: 'unsupported' },
  instead: WHOLE_FILES,
})
