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
      .describe('Every active file of the session'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  failures: {},
})
