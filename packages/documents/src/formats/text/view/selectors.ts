import { z } from 'zod'

/** What `read_file` takes for a text. */
export const SELECTORS = {
  line_start: z.number().int().optional().describe('First line, 1-based'),
  line_count: z.number().int().optional().describe('How many lines'),
  byte_start: z.number().int().optional().describe('Where to go on in a very long line'),
}

export type TextRegion = z.output<z.ZodObject<typeof SELECTORS>>
