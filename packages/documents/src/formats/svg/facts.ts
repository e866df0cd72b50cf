import { z } from 'zod'
import type { FormatDeclaration } from '../../format-facts.ts'
import { CROP } from '../../pictures/declared.ts'
import { SELECTORS as LINES } from '../text/view/declared.ts'

/** Drawings in text: read and edited as the text they are, and drawn for a model that sees. */
export const svg = {
  words: { file: 'a drawing in SVG', document: 'drawing', place: 'line' },
  endings: ['.svg'],
  hostile: true, // a few lines of it can ask for hours of drawing
  isLines: true,
  reading: {
    selectors: { ...LINES, crop: CROP },
    region: 'lines of an svg, or the drawing with crop',
    map: 'size of a drawing',
    fields: {
      map: {
        width: z.number().optional().describe('Of a drawing, in its own units (svg)'),
        height: z.number().optional().describe('Likewise'),
      },
      read: {},
    },
  },
  load: async () => (await import('./format.ts')).startSvg(),
} as const satisfies FormatDeclaration
