import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { jsonList } from '../json-list.ts'

const operation = z.discriminatedUnion('op', [
  z.object({ op: z.literal('copy'), from: z.string(), to: z.string() }),
  z.object({ op: z.literal('move'), from: z.string(), to: z.string() }),
  z.object({ op: z.literal('delete'), path: z.string() }),
])

export const fileOperations = defineTool({
  name: 'file_operations',
  label: 'Arranging files',
  summary: 'Copy, move or delete files of any format inside the draft.',
  guidance:
    'op copy and move take from and to, delete takes path. A target that exists is refused: delete it first if you mean to replace it. Folders are made as needed. Nothing on disk changes until the person publishes.',
  input: z.object({ operations: jsonList(operation) }),
  output: z.object({
    draftId: z.string().nullable(),
    results: z.array(z.object({ op: z.string(), path: z.string(), message: z.string() })),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'draft',
  failures: {},
})
