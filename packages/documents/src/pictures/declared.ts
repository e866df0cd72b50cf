import { z } from 'zod'

/** Every format that can be shown takes it. */
export const CROP = z
  .array(z.number())
  .optional()
  .describe('A part as a picture: [left, top, right, bottom], each 0 to 1')
