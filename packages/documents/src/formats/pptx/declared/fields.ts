import { z } from 'zod'
import {
  CHART_FIELDS,
  LOOK_FIELDS,
  line,
  lines,
  TABLE_FIELDS,
  TEXT_FIELDS,
} from '../../../shared-fields.ts'

const bullet = z.union([
  z.string(),
  z.object({
    text: z.string().describe('The text of the bullet'),
    level: z.number().int().optional().describe('0 is the outermost'),
  }),
])
const points = (words: string) => z.number().optional().describe(words)

/** The fields of all operations. Each operation checks the fields it takes beyond their types. */
export const FIELDS = {
  index: z.number().int().optional().describe('The slide, counted from 0'),
  title: z.string().optional().describe('Text of the title'),
  body: z
    .union([z.string(), z.array(bullet)])
    .optional()
    .describe('Text below the title: lines, or a list of bullets'),
  bullets: z.array(bullet).optional().describe('Texts, or {text, level} with level from 0'),
  shape: line.optional().describe('A shape by its id, its name or its role (title, body)'),
  placeholder: line.optional().describe('A placeholder by type, name or idx'),
  text: z.string().optional().describe('Text; each line is a paragraph'),
  layout: z.string().optional().describe('Name of a layout of the deck'),
  at: z.number().int().optional().describe('Index that a new slide gets'),
  to: z.number().int().optional().describe('Index that the slide gets'),
  from: z.string().optional().describe('Path of another deck in the workspace'),
  slides: z
    .union([z.number().int(), z.string(), z.array(line)])
    .optional()
    .describe('Slides of the other deck from 0: [0, 2] or "0-3, 7"; without it all'),
  design: z.string().optional().describe('target: as this deck looks; source: as the other looks'),
  notes: z.string().optional().describe('Speaker notes'),
  hidden: z.boolean().optional().describe('false: show the slide'),
  date: z.union([z.string(), z.boolean()]).optional().describe('A date as text; true: today'),
  slide_number: z.boolean().optional().describe('Show the number of the slide'),
  ...TEXT_FIELDS,
  ...LOOK_FIELDS,
  url: z.string().optional().describe('Address of a link, or #3 for the slide with index 3'),
  left: points('Points from the left of the slide'),
  top: points('Points from the top of the slide'),
  width: points('Points'),
  height: points('Points'),
  image: z.string().optional().describe('Path of a picture in the workspace'),
  alt: z.string().optional().describe('What it shows, for people who cannot see it'),
  type: z.string().optional().describe('Kind of chart: column, bar, line or pie'),
  chart: line.optional().describe('A chart by id or name; the only one may be left out'),
  ...CHART_FIELDS,
  table: line.optional().describe('A table by id or name; the only one may be left out'),
  ...TABLE_FIELDS,
  row: line.optional().describe('Row from 1, or the text of its first cell'),
  rows: lines.optional().describe('Rows by number or by the text of their first cell'),
  columns: lines.optional().describe('Columns by number or by the text of the first row'),
  header: z.boolean().optional().describe('The first row is a header'),
  banded: z.boolean().optional().describe('Rows in turns'),
}
