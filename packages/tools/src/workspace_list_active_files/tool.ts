import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

export const workspaceListActiveFiles = defineTool({
  name: 'workspace_list_active_files',
  label: 'Listing the active files',
  summary: 'List the files that are active in this session: open with the person, or mentioned.',
  guidance:
    'An active file outranks the source store: plan edits on the content that is in your context.',
  input: z.object({
    after: z.string().optional().describe('Where the last page ended (its `next`)'),
    limit: z.number().int().min(1).max(2000).optional().describe('Files per page; default 500'),
  }),
  output: z.object({
    files: z
      .array(
        z.object({
          docPath: z.string().describe('The key: lower case'),
          displayPath: z.string().describe('Spelling for people'),
          sizeBytes: z.number().int().describe('Size of the content'),
          isDirty: z.boolean().describe('It has changes that are not saved'),
          isActive: z.boolean().describe('Always true here'),
          sha256: z.string().describe('Of the content, unsaved text included'),
        }),
      )
      .describe('In the order of their docPaths'),
    total: z.number().int().describe('How many files are active in all'),
    next: z.string().nullable().describe('Pass it as `after`; null at the end'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  failures: {},
})
