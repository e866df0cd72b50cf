import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

export const workspaceListActiveFiles = defineTool({
  name: 'workspace_list_active_files',
  label: 'Listing the active files',
  summary: 'List the files that are active in this session: open with the person, or mentioned.',
  guidance:
    'An active file outranks the source store: plan edits on the content that is in your context.',
  input: z.object({}),
  output: z.object({
    files: z.array(
      z.object({
        docPath: z.string(),
        displayPath: z.string(),
        sizeBytes: z.number().int(),
        isDirty: z.boolean(),
        isActive: z.boolean(),
        sha256: z.string(),
      }),
    ),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  failures: {},
})
