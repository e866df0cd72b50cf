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
import { NOTE_FIELDS } from './note-fields.ts'
import { PAGE_FIELDS } from './page-fields.ts'
import { REFERENCE_FIELDS } from './reference-fields.ts'

const place = z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])

/** The fields of all operations, in the order shown to a model; an operation may say more about one that it takes. */
export const FIELDS = {
  place: place.describe(
    'A paragraph (p12), a range (p3-p5), a heading, a list label, a table (t1), body, headers, footnotes …',
  ),
  text: z
    .union([z.string(), z.array(z.string())])
    .describe('Text of a paragraph, with **bold** and *italic*'),
  after: place.describe('The paragraph or section to insert after'),
  before: place.describe('The paragraph to insert before'),
  style: z.string().describe('Name of a style of the document'),
  ...TEXT_FIELDS,
  ...LOOK_FIELDS,
  url: z.string().describe('Address of a link, or #bookmark'),
  clear_direct: z.boolean().describe('Also remove formatting that overrides the style'),
  highlight: z.string().describe('A colour such as yellow, or none'),
  track: z
    .union([z.boolean(), z.object({ author: z.string().describe('Name of the author') })])
    .describe('As tracked changes: {author} or true; false: not, where tracking is on'),
  author: z.string().describe('Only tracked changes or comments of this author'),
  ids: z.array(z.union([z.string(), z.number()])).describe('Ids of tracked changes'),
  markdown: z.string().describe('For insert_markdown'),
  remove: z
    .array(z.enum(['comments', 'revisions', 'hidden_text', 'authors', 'metadata']))
    .describe('What clean removes'),
  placeholders: z
    .record(z.string(), z.unknown())
    .describe('Values by the name of the placeholder, its text or its paragraph'),
  rows_from: z
    .union([
      z.string(),
      z.object({
        path: z.string().describe('A csv file or a workbook'),
        table: z.string().optional().describe('Its sheet'),
        range: z.string().optional().describe('Only this part: A3:F90'),
      }),
    ])
    .describe('Values from the rows of a table: a path, or {path, table, range}'),
  to: z
    .string()
    .describe('With rows_from: one new file for each row, named such as letters/{Name}.docx'),
  paragraphs: z
    .array(
      z.object({ place: place.describe('A paragraph'), text: z.string().describe('Its new text') }),
    )
    .describe('For set_paragraphs'),
  items: z
    .array(
      z.union([
        z.string(),
        z.object({
          text: z.string().describe('Its text'),
          level: z.number().int().min(0).max(8).optional().describe('0 for the outermost'),
        }),
      ]),
    )
    .describe('Items of a list: texts, or {text, level}'),
  ordered: z.boolean().describe('true: numbered; false: bullets'),
  ...NOTE_FIELDS,
  ...PAGE_FIELDS,
  ...REFERENCE_FIELDS,
  image: z.string().describe('Path of a picture file in the workspace'),
  alt: z.string().describe('What a picture shows, for readers who cannot see it'),
  width: z.number().min(0.1).max(55).describe('Width of a picture in centimetres'),
  ...CHART_FIELDS,
  from: z.string().describe('Path of another document in the workspace'),
  blocks: z
    .union([z.string(), z.array(z.string())])
    .describe('What to copy there: p3-p9, a heading, t1; without it all'),
  table: line.describe('A table such as t1; the only one may be left out'),
  ...TABLE_FIELDS,
  row: line.describe('Row from 1, or the text of a cell in it'),
  to_row: line.describe('The last row'),
  to_column: line.describe('The last column'),
  rows: lines.describe('Rows by number or by the text of a cell'),
  columns: lines.describe(
    'Columns by number or by the text of the first row; for set_page how many',
  ),
  header: z.boolean().describe('false: the first row is no header'),
}

const { regex, nth, match_case, whole_word, track, after, before } = FIELDS

/** Text of one paragraph. */
export const TEXT = z.string().describe('Text of a paragraph, with **bold** and *italic*')

/** Text of several paragraphs. */
export const TEXTS = z
  .union([z.string(), z.array(z.string()).min(1)])
  .describe('Text of a paragraph, with **bold** and *italic*, or a list of them')

/** What a comment or a note says. */
export const WORDS = z.string().refine(text => text.trim() !== '', { error: 'says nothing' })

export const TRACK = optional({ track })

/** What a search understands beside its text. */
export const FINE_SEARCH = optional({ regex, nth, match_case, whole_word, track })

/** Beside what something new stands; `either` of them. */
export const BESIDE = optional({ after, before })
export const SIDES = ['after', 'before'] as const
