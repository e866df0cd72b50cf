import { z } from 'zod'

const line = z.union([z.number(), z.string()])
const lines = z.union([line, z.array(line)])
const cellValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
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
  notes: z.string().optional().describe('Speaker notes'),
  hidden: z.boolean().optional().describe('false: show the slide'),
  date: z.union([z.string(), z.boolean()]).optional().describe('A date as text; true: today'),
  slide_number: z.boolean().optional().describe('Show the number of the slide'),
  search: z.string().optional().describe('Text to find, exact'),
  replace: z.string().optional().describe('Replacement text'),
  regex: z.string().optional().describe('Regular expression in place of search'),
  nth: z.number().int().optional().describe('Only this match, from 1'),
  match_case: z.boolean().optional().describe('false: ignore case'),
  whole_word: z.boolean().optional().describe('Only whole words'),
  replacements: z
    .array(
      z.object({
        search: z.string().describe('Text to find'),
        replace: z.string().describe('New text'),
      }),
    )
    .optional()
    .describe('Several pairs at once'),
  url: z.string().optional().describe('Address of a link, or #3 for the slide with index 3'),
  bold: z.boolean().optional().describe('Bold or not'),
  italic: z.boolean().optional().describe('Italic or not'),
  underline: z.boolean().optional().describe('Underlined or not'),
  strike: z.boolean().optional().describe('Struck through or not'),
  color: z.string().optional().describe('Six digits such as C00000'),
  size: points('Points'),
  font: z.string().optional().describe('Name of a font'),
  left: points('Points from the left of the slide'),
  top: points('Points from the top of the slide'),
  width: points('Points'),
  height: points('Points'),
  image: z.string().optional().describe('Path of a picture in the workspace'),
  alt: z.string().optional().describe('What it shows, for people who cannot see it'),
  type: z.string().optional().describe('Kind of chart: column, bar, line or pie'),
  chart: line.optional().describe('A chart by id or name; the only one may be left out'),
  categories: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .describe('Categories of a chart'),
  series: z
    .array(
      z.object({
        name: z.string().optional().describe('Name of the series'),
        values: z.array(z.number().nullable()).describe('Its numbers'),
      }),
    )
    .optional()
    .describe('Series of a chart'),
  table: line.optional().describe('A table by id or name; the only one may be left out'),
  values: z
    .array(z.union([cellValue, z.array(cellValue)]))
    .optional()
    .describe('Rows of values; null leaves a cell as it is'),
  row: line.optional().describe('Row from 1, or the text of its first cell'),
  column: line.optional().describe('Column from 1, or its text in the first row'),
  cells: z
    .array(
      z.object({
        row: line.describe('As row'),
        column: line.describe('As column'),
        value: cellValue.describe('Its new text'),
      }),
    )
    .optional()
    .describe('Single cells of a table'),
  after_row: line.optional().describe('Insert after this row'),
  before_row: line.optional().describe('Insert before this row'),
  after_column: line.optional().describe('Insert after this column'),
  before_column: line.optional().describe('Insert before this column'),
  rows: lines.optional().describe('Rows by number or by the text of their first cell'),
  columns: lines.optional().describe('Columns by number or by the text of the first row'),
  count: z.number().int().optional().describe('How many, without values'),
  shading: z.string().optional().describe('Six digits such as D9E2F3, or none'),
  header: z.boolean().optional().describe('The first row is a header'),
  banded: z.boolean().optional().describe('Rows in turns'),
  widths: z.array(z.number()).optional().describe('Widths of the columns in points'),
}
