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
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  failures: {},
})
