import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { READ } from '../instead.ts'
import { meantLines } from '../meant-lines.ts'

export const workspaceReadFile = defineTool({
  name: 'workspace_read_file',
  label: 'Reading {path}',
  summary: 'Read a source file from the source store: its full content, or a range of its lines.',
  guidance:
    'Where workspace_search showed a part of a file and you need the whole, pass the snippet\'s DocPath as path, unchanged, never its ChunkPath (the part after "#" only locates a snippet). Files listed as active are in your context already: use that content; reading them answers ALREADY_IN_CONTEXT. NOT_FOUND means the store does not have the file: ask the person for it. It reads only. Lines come as `12|text`: number and bar are not part of the file. Keep the version: workspace_write_patch asks for it.',
  input: z.object({
    path: z.string().describe('DocPath of the file'),
    maxBytes: z
      .number()
      .int()
      .optional()
      .describe('At most this many bytes of content; default and most: 10 MB'),
    lineStart: z.number().int().min(1).optional().describe('First line, 1-based'),
    lineCount: z.number().int().min(1).optional().describe('How many lines'),
  }),
  output: z.object({
    file: z.object({
      path: z.string().describe('Spelling on disk'),
      docPath: z.string().describe('The key: lower case'),
      sizeBytes: z.number().int().describe('Of the whole file'),
      content: z.string().describe('The text, verbatim'),
      isTruncated: z.boolean().describe('The content is less than the whole file'),
      sha256: z.string().describe('Of the whole file'),
      version: z.string().describe('The first 8 digits of sha256; arguments accept it'),
      lineCount: z.number().int().describe('Of the whole file'),
      lineStart: z.number().int().describe('Number of the first line of the content'),
      nextLineStart: z
        .number()
        .int()
        .optional()
        .describe('Where to read on, if the content ends before what was asked for'),
      eol: z.string().describe('lf, crlf, mixed or none'),
      bom: z.boolean().describe('The file begins with a byte order mark'),
      encoding: z.string().describe('WHATWG label, such as utf-8'),
    }),
  }),
  executionLocation: 'server',
  toolsets: ['workspace'],
  writes: 'nothing',
  isBasic: true,
  failures: { ALREADY_IN_CONTEXT: 'invalid' },
  otherKinds: {
    INVALID_ARGUMENT: {
      kind: 'unsupported',
      because: 'The file is not text, and no argument changes that.',
    },
  },
  aliases: ['workspace.read_file'],
  meant: meantLines('lineStart', 'lineCount'),
  instead: READ,
  listsItsMessage: true,
})
