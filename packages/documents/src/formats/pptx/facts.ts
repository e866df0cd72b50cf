import { LIMITS } from '@filewright/protocol'
import type { FormatDeclaration } from '../../format-facts.ts'
import { CROP } from '../../pictures/declared.ts'
import { MAP_FIELDS, READ_FIELDS } from './declared/answers.ts'
import { DECK_OPERATIONS } from './declared/operations.ts'
import { SELECTORS } from './declared/selectors.ts'

/** Presentations of PowerPoint 2007 and later. */
export const pptx = {
  words: { file: 'a presentation', document: 'deck', place: 'slide' },
  endings: ['.pptx', '.pptm', '.potx', '.potm', '.ppsx', '.ppsm'],
  hostile: true,
  isPacked: true,
  reading: {
    selectors: SELECTORS,
    region: 'slides of a deck',
    map: 'slides with titles, layouts, shapes and notes',
    note: 'A shape is shown under `[#4 Name: kind]`: 4 is its id. Two spaces in front of a line are a level of its list, ⏎ is a line break.',
    styles: 'font, size and colour of text, and where they come from',
    fields: { map: MAP_FIELDS, read: READ_FIELDS },
  },
  editing: {
    operations: DECK_OPERATIONS,
    newEndings: ['.pptx'],
    mostPlaces: LIMITS.draftedCells,
    kinds: ['text', 'format', 'table', 'slide', 'shape', 'chart'],
    unit: { name: 'texts', of: 'text' },
  },
  drawing: {
    selectors: { ...SELECTORS, crop: CROP },
    by: 'office',
    ofPages: pages => ({ slides: pages.replace(/\d+/g, page => String(Number(page) - 1)) }),
    choosesPart: true,
  },
  has: { rebase: true, diff: 'places', preview: false, withdraw: true },
  synonyms: {
    slide_index: ['slide', 'slideIndex', 'slide_number'],
    slides: ['slide_range', 'slideRange'],
    index: ['slide_index', 'slide', 'slideIndex'],
    shape: ['shape_id', 'shapeId', 'shape_name'],
  },
  load: async () => (await import('./format.ts')).pptxFormat,
} as const satisfies FormatDeclaration
