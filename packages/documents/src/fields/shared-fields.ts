import { z } from 'zod'

/** A row or column by its number or by a text in it. */
export const line = z.union([z.number(), z.string()])
export const lines = z.union([line, z.array(line)])
const cellValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

export type LineName = z.output<typeof line>

/** Null leaves a cell as it is. */
export type TableValue = z.output<typeof cellValue>

const HEX = /^#?[0-9a-f]{6}$/i

/** A colour as an operation checks it; see `toHex`. */
export const hexColor = z
  .string()
  .refine(color => HEX.test(color), {
    error: ({ input }) => `is six digits such as "C00000", and ${JSON.stringify(input)} is not`,
  })
  .describe('Six digits such as C00000')

export const shadingColor = z
  .string()
  .refine(color => color === 'none' || HEX.test(color), {
    error: ({ input }) =>
      `is six digits such as "D9E2F3", or "none", and ${JSON.stringify(input)} is not`,
  })
  .describe('Six digits such as D9E2F3, or none')

export function toHex(color: string): string {
  return color.replace('#', '').toUpperCase()
}

/** Fields that operations of several formats take: the selector of text and its replacement. */
export const TEXT_FIELDS = {
  search: z.string().describe('Text to find, exact'),
  replace: z.string().describe('Replacement text'),
  regex: z.string().describe('Regular expression in place of search'),
  nth: z.number().int().describe('Only this match, from 1'),
  match_case: z.boolean().describe('false: ignore case'),
  whole_word: z.boolean().describe('Only whole words'),
  replacements: z
    .array(
      z.object({
        search: z.string().describe('Text to find'),
        replace: z.string().describe('New text'),
      }),
    )
    .min(1)
    .describe('Several pairs at once'),
}

/** The look of text. */
export const LOOK_FIELDS = {
  bold: z.boolean().describe('Bold or not'),
  italic: z.boolean().describe('Italic or not'),
  underline: z.boolean().describe('Underlined or not'),
  strike: z.boolean().describe('Struck through or not'),
  color: z.string().describe('Six digits such as C00000'),
  size: z.number().describe('Points'),
  font: z.string().describe('Name of a font'),
}

const MOST_POINTS = 5000

/** The numbers of a chart. */
export const CHART_FIELDS = {
  categories: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(MOST_POINTS)
    .describe('Categories of a chart'),
  series: z
    .array(
      z.object({
        name: z.string().optional().describe('Name of the series'),
        values: z.array(z.number().nullable()).min(1).max(MOST_POINTS).describe('Its numbers'),
      }),
    )
    .describe('Series of a chart'),
}

/** Tables of documents and decks. */
export const TABLE_FIELDS = {
  values: z
    .array(z.union([cellValue, z.array(cellValue)]))
    .describe('Rows of values; null leaves a cell as it is'),
  column: line.describe('Column from 1, or its text in the first row'),
  after_row: line.describe('Insert after this row'),
  before_row: line.describe('Insert before this row'),
  after_column: line.describe('Insert after this column'),
  before_column: line.describe('Insert before this column'),
  count: z.number().int().describe('How many, without values'),
  widths: z.array(z.number()).describe('Widths of the columns in points'),
  shading: z.string().describe('Six digits such as D9E2F3, or none'),
  cells: z
    .array(
      z.object({
        row: line.describe('As row'),
        column: line.describe('As column'),
        value: cellValue.describe('Its new text'),
      }),
    )
    .describe('Single cells of a table'),
}
