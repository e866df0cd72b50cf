import { z } from 'zod'
import type { FormatDeclaration } from '../../format-facts.ts'
import { CROP } from '../../pictures/declared.ts'

/** Pictures: what they are, and the picture itself for a model that sees. */
export const image = {
  words: { file: 'an image', document: 'picture', place: 'picture' },
  endings: [
    ...['.png', '.jpg', '.jpeg', '.gif', '.webp', '.bmp'],
    ...['.tif', '.tiff', '.heic', '.heif', '.avif', '.ico'],
  ],
  hostile: true,
  reading: {
    selectors: { crop: CROP },
    region: 'an image or a part of it',
    map: 'kind and size of an image',
    fields: {
      map: {
        width: z.number().int().optional().describe('Of an image, in pixels'),
        height: z.number().int().optional().describe('Likewise'),
        exif: z.looseObject({}).optional().describe('What a camera noted, if anything (image)'),
      },
      read: {
        width: z.number().int().optional().describe('Of an image, in pixels'),
        height: z.number().int().optional().describe('Likewise'),
      },
    },
  },
  load: async () => (await import('./start.ts')).startImages(),
} as const satisfies FormatDeclaration
