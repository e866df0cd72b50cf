import { defineTool, isFields, takeField } from '@filewright/protocol'
import { z } from 'zod'
import { meantFolder } from '../listing.ts'

const hit = z.object({
  place: z.string().describe('Where, such as line 12 or Sales!B2'),
  region: z.looseObject({}).describe('What read_file takes to read it'),
  text: z.string().describe('The line or cell'),
  before: z.array(z.string()).optional().describe('Lines before it'),
  after: z.array(z.string()).optional().describe('Lines after it'),
})

export const searchFiles = defineTool({
  name: 'search_files',
  label: 'Searching for {query}',
  summary:
    'Find text or a regular expression in the files of the workspace, in every format that read_file reads.',
  guidance:
    'Use it to find where something is before you read. A match lies within one line or cell. Hits come with the region that read_file takes, counts for each file. Start broad with files_only, then narrow with path and pattern. Ignored files are searched only by their exact path, key files never. You search the draft: what you changed is what you find.',
  input: z.object({
    query: z
      .string()
      .min(1)
      .max(2000)
      .describe('Text to find; a JavaScript regular expression with regex: true'),
    regex: z.boolean().optional().describe('The query is a regular expression'),
    case_sensitive: z.boolean().optional().describe('Default false'),
    path: z.string().max(1000).optional().describe('Only this file or folder'),
    pattern: z
      .string()
      .max(1000)
      .optional()
      .describe('Only such paths: *.ts, src/**/*.{ts,tsx}; several with commas, ! excludes'),
    context: z.number().int().min(0).max(10).optional().describe('Lines around each hit'),
    files_only: z.boolean().optional().describe('Only paths and counts'),
    after: z.string().optional().describe('Where the last answer ended (its `next`)'),
    limit: z.number().int().min(1).max(1000).optional().describe('Hits, or files; default 100'),
  }),
  output: z.object({
    files: z
      .array(
        z.object({
          path: z.string().describe('Spelling on disk'),
          docPath: z.string().describe('The key: lower case'),
          count: z.number().int().describe('How many lines or cells match'),
          hits: z.array(hit).optional().describe('The first of them'),
        }),
      )
      .describe('Those with hits, in the order of their paths'),
    hitCount: z.number().int().describe('In all files searched'),
    fileCount: z.number().int().describe('How many files have hits'),
    searched: z.number().int().describe('How many files were searched'),
    unsearched: z
      .object({
        total: z.number().int().describe('How many'),
        first: z
          .array(
            z.object({ path: z.string().describe('Path'), reason: z.string().describe('Why') }),
          )
          .describe('At most 20 of them'),
      })
      .optional()
      .describe('Files that could not be searched'),
    next: z.string().nullable().describe('Pass it as `after`; null at the end'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  otherKinds: {
    LIMIT_REACHED: {
      kind: 'denied',
      because: 'A very large tree or a home folder is scanned only when a person said yes.',
    },
  },
  aliases: ['grep', 'search'],
  meant: given => meantFolder(meantQuery(given)),
})

const QUERY_NAMES = ['text', 'search', 'term', 'needle', 'q', 'search_text', 'find']
const CONTEXT_NAMES = ['context_lines', 'contextLines', 'around']

/** The query and its context under the names that other search tools have. */
function meantQuery(given: unknown): unknown {
  if (!isFields(given)) return given
  let fields = given
  for (const [name, others] of [
    ['query', QUERY_NAMES],
    ['context', CONTEXT_NAMES],
  ] as const) {
    if (fields[name] !== undefined) continue
    const [value, rest] = takeField(fields, others)
    if (value !== undefined) fields = { ...rest, [name]: value }
  }
  return fields
}
