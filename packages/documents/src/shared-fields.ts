import { z } from 'zod'

/** A row or column by its number or by a text in it. */
export const line = z.union([z.number(), z.string()])
export const lines = z.union([line, z.array(line)])
const cellValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Fields that operations of several formats take: the selector of text and its replacement. */
export const TEXT_FIELDS = {
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
}

/** The look of text. */
export const LOOK_FIELDS = {
  bold: z.boolean().optional().describe('Bold or not'),
  italic: z.boolean().optional().describe('Italic or not'),
  underline: z.boolean().optional().describe('Underlined or not'),
  strike: z.boolean().optional().describe('Struck through or not'),
  color: z.string().optional().describe('Six digits such as C00000'),
  size: z.number().optional().describe('Points'),
  font: z.string().optional().describe('Name of a font'),
}

/** The numbers of a chart. */
export const CHART_FIELDS = {
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
}

/** Tables of documents and decks. */
export const TABLE_FIELDS = {
  values: z
    .array(z.union([cellValue, z.array(cellValue)]))
    .optional()
    .describe('Rows of values; null leaves a cell as it is'),
  column: line.optional().describe('Column from 1, or its text in the first row'),
  after_row: line.optional().describe('Insert after this row'),
  before_row: line.optional().describe('Insert before this row'),
  after_column: line.optional().describe('Insert after this column'),
  before_column: line.optional().describe('Insert before this column'),
  count: z.number().int().optional().describe('How many, without values'),
  widths: z.array(z.number()).optional().describe('Widths of the columns in points'),
  shading: z.string().optional().describe('Six digits such as D9E2F3, or none'),
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
}
