import { z } from 'zod'

/** ADR-0010's regions, with its names and bases. A selector of another format is refused, never ignored. */
export const regionFields = {
  sheet: z.string().optional().describe('Sheet name (xlsx)'),
  range: z
    .string()
    .optional()
    .describe('Cell range such as A1:E50, a table or a defined name (xlsx)'),
  section: z
    .union([z.string(), z.number().int()])
    .optional()
    .describe('Section heading or index (docx)'),
  slide_index: z.number().int().optional().describe('Slide index, 0-based (pptx)'),
  pages: z.string().optional().describe('Page range such as 1-5 (pdf)'),
  line_start: z.number().int().optional().describe('First line, 1-based (text)'),
  line_count: z.number().int().optional().describe('How many lines (text)'),
  byte_start: z.number().int().optional().describe('Where to go on in a very long line (text)'),
} as const

export const regionSchema = z.object(regionFields)
export type Region = z.output<typeof regionSchema>

/** What every read says of itself: which part this is, how much there is, and how to get the next. */
export interface Reading {
  /** For the model. */
  readonly text: string
  /** The tool's own fields. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly shown: string
  readonly total: string
  readonly next?: Region
  readonly warnings?: readonly string[]
}
