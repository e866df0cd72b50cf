import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { leftOut } from '../file-fields.ts'
import { LISTED } from '../instead.ts'
import { listingFields, meantFolder } from '../listing.ts'

export const workspaceListFiles = defineTool({
  name: 'workspace_list_files',
  label: 'Listing the files',
  summary: 'List the source files of the workspace with size and version.',
  guidance:
    'Ignored folders (.git, node_modules, build output, .gitignore) are left out. Pass `next` as `after` for the next page.',
  input: z.object(listingFields),
  output: z.object({
    files: z
      .array(
        z.object({
          path: z.string().describe('Spelling on disk'),
          docPath: z.string().describe('The key: lower case'),
          sizeBytes: z.number().int().describe('Size of the file'),
          version: z.string().nullable().describe('null when its bytes were never hashed'),
        }),
      )
      .describe('In the order of their paths'),
    total: z.number().int().describe('How many files match path and pattern'),
    next: z.string().nullable().describe('Pass it as `after`; null at the end'),
    leftOut,
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  isBasic: true,
  failures: {},
  otherKinds: {
    LIMIT_REACHED: {
      kind: 'denied',
      because: 'A very large tree or a home folder is scanned only when a person said yes.',
    },
  },
  meant: meantFolder,
  instead: LISTED,
})
