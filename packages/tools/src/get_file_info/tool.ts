import { FORMATS } from '@filewright/documents'
import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { answerFields, fileFacts } from '../file-fields.ts'

export const getFileInfo = defineTool({
  name: 'get_file_info',
  label: 'Looking into {path}',
  summary: `Get a file's structural map: ${FORMATS.map(({ reading }) => reading.map).join(', or ')}.`,
  guidance:
    'Use it before read_file on anything large: the map names the regions that read_file takes, so that you read only what you need.',
  input: z.object({ path: z.string().describe('File path') }),
  output: z.looseObject({
    ...fileFacts,
    ...answerFields('map'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  aliases: ['get_file_map'],
})
