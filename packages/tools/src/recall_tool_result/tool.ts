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
    offset: z.number().int().min(0).optional().describe('Where to continue, in characters'),
  }),
  output: z.object({
    id: z.string().describe('The id that was asked for'),
    offset: z.number().int().describe('Where this page begins, in characters'),
    content: z.string().describe('The page'),
    totalChars: z.number().int().describe('Characters of the whole result'),
    nextOffset: z.number().int().nullable().describe('Where the next page begins; null at the end'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace', 'workshop'],
  writes: 'nothing',
  isBasic: true,
  failures: {},
})
