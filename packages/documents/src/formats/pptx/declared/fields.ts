import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import {
  CHART_FIELDS,
  LOOK_FIELDS,
  line,
  lines,
  TABLE_FIELDS,
  TEXT_FIELDS,
} from '../../../fields/shared-fields.ts'

const bullet = z.union([
  z.string(),
  z.object({
    text: z.string().describe('The text of the bullet'),
    level: z.number().int().min(0).max(8).optional().describe('0 is the outermost'),
  }),
])
const MOST = 5000 // points, more than the largest slide
const place = z.number().min(-MOST).max(MOST)
const size = z.number().gt(0).max(MOST)

/** The fields of all operations, in the order shown to a model; an operation may say more about one that it takes. */
export const FIELDS = {
  index: z.number().int().describe('The slide, counted from 0'),
  title: z.string().describe('Text of the title'),
  body: z
    .union([z.string(), z.array(bullet)])
    .describe('Text below the title: lines, or a list of bullets'),
  bullets: z.array(bullet).min(1).describe('Texts, or {text, level} with level from 0'),
  shape: line.describe('A shape by its id, its name or its role (title, body)'),
  placeholder: line.describe('A placeholder by type, name or idx'),
  text: z.string().describe('What it says; each line is a paragraph'),
  layout: z.string().describe('Name of a layout of the deck'),
  at: z.number().int().describe('Index that a new slide gets'),
  to: z.number().int().describe('Index that the slide gets'),
  from: z.string().describe('Path of another deck in the workspace'),
  slides: z
    .union([z.number().int(), z.string(), z.array(line)])
    .describe('Slides of the other deck from 0: [0, 2] or "0-3, 7"; without it all'),
  design: z.string().describe('target: as this deck looks; source: as the other looks'),
  notes: z.string().describe('Speaker notes'),
  hidden: z.boolean().describe('false: show the slide'),
  date: z.union([z.string(), z.boolean()]).describe('A date as text; true: today'),
  slide_number: z.boolean().describe('Show the number of the slide'),
  ...TEXT_FIELDS,
  ...LOOK_FIELDS,
  url: z.string().describe('Address of a link, or #3 for the slide with index 3'),
  left: place.describe('Points from the left of the slide'),
  top: place.describe('Points from the top of the slide'),
  width: size.describe('Points'),
  height: size.describe('Points'),
  image: z.string().describe('Path of a picture in the workspace'),
  alt: z.string().describe('What it shows, for people who cannot see it'),
  type: z.string().describe('Kind of chart: column, bar, line or pie'),
  chart: line.describe('A chart by id or name; the only one may be left out'),
  ...CHART_FIELDS,
  table: line.describe('A table by id or name; the only one may be left out'),
  ...TABLE_FIELDS,
  row: line.describe('Row from 1, or the text of its first cell'),
  rows: lines.describe('Rows by number or by the text of their first cell'),
  columns: lines.describe('Columns by number or by the text of the first row'),
  header: z.boolean().describe('The first row is a header'),
  banded: z.boolean().describe('Rows in turns'),
}

const { left, top, width, height, regex, nth, match_case, whole_word } = FIELDS

/** Where a shape stands and how large it is. */
export const BOX_FIELDS = { left, top, width, height }

/** What a search understands beside its text. */
export const FINE_SEARCH = optional({ regex, nth, match_case, whole_word })

/** Drafts and calls may still name the slide so. */
export const OLDER = { slide_index: 'index' } as const
