import { z } from 'zod'

/** The arguments of `read_file` for a deck. */
export const SELECTORS = {
  slide_index: z.coerce.number().int().optional().describe('A slide, counted from 0'),
  slides: z.coerce.string().optional().describe('Slides such as 0-4, counted from 0'),
}

export type DeckRegion = z.output<z.ZodObject<typeof SELECTORS>>
