import { z } from 'zod'

/** Every format that can be shown takes it. */
export const CROP = z
  .array(z.number())
  .optional()
  .describe('A part as a picture: [left, top, right, bottom], each 0 to 1')

/** Of everything that is drawn as pages. */
export const PAGES = z.string().optional().describe('Page range such as 1-5, or 3,7-9')

/** A document without parts that could be drawn alone. */
export const WHOLE_DOCUMENT = { selectors: { pages: PAGES, crop: CROP }, by: 'office' } as const
