import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { meantFolder } from '../listing.ts'
import { lines, snippetFields } from '../snippets.ts'

export const workspaceSearch = defineTool({
  name: 'workspace_search',
  label: 'Searching for {query}',
  summary: 'Find the pieces of code and documents that fit a question or keywords, the best first.',
  guidance:
    'Use it to find where something is done. A snippet has the docPath for workspace_read_file; its chunkPath only informs. Snippets are for finding: read the file before you patch it. Ignored files and key files are not searched.',
  input: z.object({
    query: z.string().min(1).max(1000).describe('Words or a question'),
    path: z.string().max(1000).optional().describe('Only files in this folder'),
    limit: z.number().int().min(1).max(50).optional().describe('Snippets; default 10'),
  }),
  output: z.object({
    snippets: z
      .array(z.object({ ...snippetFields, lines, text: z.string().describe('Its beginning') }))
      .describe('The best first'),
    indexed: z.number().int().describe('Files searched'),
    unindexed: z.number().int().describe('Files not indexed yet'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  failures: {},
  meant: meantFolder,
})
