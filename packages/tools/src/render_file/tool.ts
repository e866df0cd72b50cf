import { FORMATS } from '@filewright/documents'
import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { fileFacts, picturesField } from '../file-fields.ts'
import { describeTakers } from '../selector-fields.ts'

const DRAWN = FORMATS.filter(({ drawing }) => drawing !== undefined)
const selectorsOf = (format: (typeof DRAWN)[number]) => format.drawing!.selectors

export const renderFile = defineTool({
  name: 'render_file',
  label: 'Drawing {path}',
  summary: 'See how a sheet, a document or slides look: as pictures of pages, by LibreOffice.',
  guidance:
    'Use it to check looks: charts, pictures, widths, overflowing text. Values are read with read_file. At most three pages come at once; crop enlarges a part of each. A sheet is drawn with its column letters and row numbers, all columns on a page; range names the cells. You see the draft. Where LibreOffice is missing, it says so: do not try again.',
  input: z.object({
    path: z.string().describe('File path'),
    ...describeTakers(DRAWN, selectorsOf),
  }),
  output: z.looseObject({
    ...fileFacts,
    part: z.string().optional().describe('What was asked for, such as sheet "Sales" A1:F20'),
    pageCount: z.number().int().optional().describe('How many pages that is'),
    pages: z
      .array(z.looseObject({ page: z.number().int().describe('Page number') }))
      .optional()
      .describe('Each page drawn, with the size of its picture'),
    shown: z.string().describe('Which pages these are'),
    total: z.string().describe('How many there are'),
    next: z.looseObject({}).nullable().describe('Arguments for the next pages; null at the end'),
    pictures: picturesField.describe('Of the pages, in order; shown to a model that sees'),
  }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: { NO_OFFICE: 'unsupported' },
  aliases: ['draw_file'],
})
