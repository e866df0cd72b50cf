import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

export const workspaceGetPatchChange = defineTool({
  name: 'workspace_get_patch_change',
  label: 'Looking up {id}',
  summary:
    'Look up a stored batch, file patch or change by its id: what it says, its diff, and what became of it.',
  guidance:
    'Use it to answer questions about an earlier patch. Any id that workspace_write_patch returned works, from any session of this workspace.',
  input: z.object({ id: z.string().describe('A batchId, filePatchId or changeId') }),
  output: z.looseObject({
    batchId: z.string().describe('The batch it belongs to'),
    fate: z.string().describe('stored, approved, applied, uploaded, refused or conflict'),
    diff: z.string().nullable().describe('Unified diff of the changes on their base'),
    steps: z.unknown().describe('A list of what became of it, oldest first: fate, time, reason'),
    files: z.unknown().optional().describe('Of a batch: a list of its file patches'),
    filePatchId: z.string().optional().describe('Of a file patch, or the one a change is in'),
    docPath: z.string().optional().describe('The file it changes; not of a batch'),
    changes: z.unknown().optional().describe('Of a file patch: a list of its changes'),
    operation: z
      .string()
      .optional()
      .describe('Of a change: insert, replace or delete, with the fields that were sent'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  window: 'large',
  writes: 'nothing',
  failures: {},
})
