import { FORMATS } from '@filewright/documents'
import { defineTool, type Fields, isFields } from '@filewright/protocol'
import { z } from 'zod'
import { answerFields, fileFacts, picturesField } from '../file-fields.ts'
import { READ } from '../instead.ts'
import { meantLines } from '../meant-lines.ts'
import { describeStyles, selectorFields } from './selectors.ts'

const NOTES = FORMATS.flatMap(({ reading }) => reading.note ?? []).join(' ')

export const readFile = defineTool({
  name: 'read_file',
  label: 'Reading {path}',
  summary: `Read a region of a file: ${FORMATS.map(({ reading }) => reading.region).join(', ')}.`,
  guidance: `Call get_file_info first for the structural map, then read the regions you need. A selector belongs to the formats that its description names. Every answer says which part it is, how much there is, and the arguments that read the next part. ${NOTES} You see the draft: what you changed is what you read.`,
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
    pictures: picturesField.optional().describe('Shown to a model that sees'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  isBasic: true,
  failures: {},
  meant: given => meantRegion(meantLines('line_start', 'line_count')(given)),
  instead: READ,
})

/** In the shape of whichever format has selectors like those sent. */
function meantRegion(given: unknown): unknown {
  if (!isFields(given)) return given
  return FORMATS.reduce<Fields>((fields, { reading }) => reading.meant?.(fields) ?? fields, given)
}
