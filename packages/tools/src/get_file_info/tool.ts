import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { fileFacts, textFacts } from '../file-fields.ts'

export const getFileInfo = defineTool({
  name: 'get_file_info',
  label: 'Looking into {path}',
  summary:
    "Get a file's structural map: sheets with used ranges, tables and headers, or lines and encoding.",
  guidance:
    'Use it before read_file on anything large: the map names the regions that read_file takes, so that you read only what you need.',
  input: z.object({ path: z.string().describe('File path') }),
  output: z.looseObject({
    ...fileFacts,
    ...textFacts,
    lineCount: z.number().int().optional().describe('Lines of the file (text)'),
    longestLineBytes: z.number().int().optional().describe('Of its longest line (text)'),
    chunks: z
      .array(z.looseObject({}))
      .optional()
      .describe('Of a long text: line_start and line_count of the parts that one read takes'),
    headings: z
      .array(z.looseObject({}))
      .optional()
      .describe('Of a Markdown file: line, level and title of each'),
    table: z
      .looseObject({})
      .optional()
      .describe('Of a csv file: delimiter, hasHeader, columns with name and type'),
    sheets: z
      .array(z.looseObject({ name: z.string().describe('What read_file takes as sheet') }))
      .optional()
      .describe(
        'Of a workbook, each with its usedRange, islands of cells with headers, tables, charts, comments, and chunks: ranges that one read takes',
      ),
    names: z.array(z.looseObject({})).optional().describe('Defined names (xlsx)'),
    hasMacros: z.boolean().optional().describe('It holds macros (xlsx)'),
    isSigned: z.boolean().optional().describe('It is digitally signed (xlsx)'),
    is1904: z.boolean().optional().describe('Its dates count from 1904 (xlsx)'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  aliases: ['get_file_map'],
})
