import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { meantFolder } from '../listing.ts'
import { lines, snippetFields } from '../snippets.ts'

export const workspaceFindSymbol = defineTool({
  name: 'workspace_find_symbol',
  label: 'Looking for {name}',
  summary:
    'Find where a class, function, method, type or heading is defined, and the lines that use it.',
  guidance:
    'For one exact name. A usage is a line with that word, whatever it refers to. Read the file before you patch it.',
  input: z.object({
    name: z.string().min(1).max(200).describe('The bare name, such as CalculateTaxes'),
    path: z.string().max(1000).optional().describe('Only files in this folder'),
    limit: z.number().int().min(1).max(500).optional().describe('Of each; default 50'),
  }),
  output: z.object({
    definitions: z
      .array(z.object({ ...snippetFields, lines, text: z.string().describe('Its beginning') }))
      .describe('Where it is defined'),
    usages: z
      .array(
        z.object({
          ...snippetFields,
          line: z.number().int().describe('Line number'),
          text: z.string().describe('The line'),
        }),
      )
      .describe('Lines that use it'),
    usageCount: z.number().int().describe('How many there are'),
    indexed: z.number().int().describe('Files searched'),
    unindexed: z.number().int().describe('Files not indexed yet'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  failures: {},
  meant: meantFolder,
})
