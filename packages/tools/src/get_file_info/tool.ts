import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { fileFacts } from '../file-fields.ts'

export const getFileInfo = defineTool({
  name: 'get_file_info',
  label: 'Looking into {path}',
  summary:
    "Get a file's structural map: sheets with used ranges, tables and headers, or lines and encoding.",
  guidance:
    'Use it before read_file on anything large: the map names the regions that read_file takes, so that you read only what you need.',
  input: z.object({ path: z.string().describe('File path') }),
  output: z.looseObject(fileFacts),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  paths: ['path'],
  aliases: ['get_file_map'],
})
