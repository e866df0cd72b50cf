import { FORMATS } from '@filewright/documents'
import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { answerFields, fileFacts } from '../file-fields.ts'
import { meantLines } from '../meant-lines.ts'
import { describeSelectors, describeStyles, selectorFields } from './selectors.ts'

const NOTES = FORMATS.flatMap(({ reading }) => reading.note ?? []).join(' ')

export const readFile = defineTool({
  name: 'read_file',
  label: 'Reading {path}',
  summary: `Read a region of a file: ${FORMATS.map(({ reading }) => reading.region).join(', ')}.`,
  guidance: `Call get_file_info first for the structural map, then read the regions you need. Selectors belong to formats: ${describeSelectors()}. Every answer says which part it is, how much there is, and the arguments that read the next part. ${NOTES} You see the draft: what you changed is what you read.`,
  input: z.object({
    path: z.string().describe('File path'),
    ...selectorFields(),
    styles: z.boolean().optional().describe(`Also show ${describeStyles()}`),
  }),
  output: z.looseObject({
    ...fileFacts,
    ...answerFields('read'),
    shown: z.string().describe('Which part this is'),
    total: z.string().describe('How much there is'),
    next: z.looseObject({}).nullable().describe('Selectors of the next part; null at the end'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
  meant: meantLines('line_start', 'line_count'),
})
