import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

export const workspaceListFiles = defineTool({
  name: 'workspace_list_files',
  label: 'Listing the files',
  summary: 'List the source files of the workspace with size and version.',
  guidance:
    'Ignored folders (.git, node_modules, build output, .gitignore) are left out. Pass `next` as `after` for the next page.',
  input: z.object({
    after: z.string().optional().describe('Where the last page ended (its `next`)'),
    limit: z.number().int().min(1).max(2000).optional().describe('Files a page; 500 when left out'),
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        docPath: z.string(),
        sizeBytes: z.number().int(),
        version: z.string().nullable(),
      }),
    ),
    total: z.number().int(),
    next: z.string().nullable(),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  failures: {},
})
