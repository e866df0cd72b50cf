import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { fileEntry, leftOut } from '../file-fields.ts'
import { LISTED } from '../instead.ts'
import { listingFields, meantFolder } from '../listing.ts'

export const listFiles = defineTool({
  name: 'list_files',
  label: 'Listing the files',
  summary: 'List the files of the workspace with their kind, size, version and draft state.',
  guidance:
    'Start here when you do not know the files. Pages of 500; pass `next` as `after` for more. Ignored folders are one line with a count. Nothing is read.',
  input: z.object(listingFields),
  output: z.object({
    files: z.array(fileEntry).describe('In the order of their paths'),
    total: z.number().int().describe('How many files match path and pattern'),
    next: z.string().nullable().describe('Pass it as `after`; null at the end'),
    leftOut,
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
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
