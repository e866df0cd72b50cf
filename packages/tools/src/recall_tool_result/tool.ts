import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

export const recallToolResult = defineTool({
  name: 'recall_tool_result',
  label: 'Reading on in an earlier result',
  summary: 'Read on in a tool result that was shortened for you.',
  guidance:
    'Use the id and the offset that the shortened result names. Prefer reading a smaller region where the tool offers one.',
  input: z.object({
    id: z.string().describe('The id the shortened result names'),
    offset: z.number().int().min(0).optional().describe('Where to go on, in characters'),
  }),
  output: z.object({
    id: z.string(),
    offset: z.number().int(),
    content: z.string(),
    totalChars: z.number().int(),
    nextOffset: z.number().int().nullable(),
  }),
  executionLocation: 'server',
  toolsets: ['workspace', 'workshop'],
  writes: 'nothing',
  failures: {},
})
