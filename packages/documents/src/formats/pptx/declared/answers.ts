import { z } from 'zod'

const list = (words: string) => z.array(z.looseObject({})).optional().describe(words)

/** Fields of a deck's map. */
export const MAP_FIELDS = {
  slides: list(
    'Of a deck: index, title, layout, shapes with id, kind and box in points, notes, comments, hidden, section',
  ),
  layouts: list('Layouts of a deck, with their placeholders'),
  slideSize: z.looseObject({}).optional().describe('Width and height of a slide in points'),
  deckSections: list('Sections of a deck with their slides'),
}

/** Fields of a read of a deck. */
export const READ_FIELDS = {
  slides: list('The slides shown: index, title, layout, shapes with id and text, notes (pptx)'),
}
