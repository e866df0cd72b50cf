import { toRunner } from '../../../operation-arguments.ts'
import { OPERATIONS } from '../declared/operations.ts'
import type { DeckEditor } from '../edit/editor.ts'
import { shapesOf } from '../edit/fields.ts'
import { CHART_HANDLERS } from './charts/index.ts'
import { MARK_HANDLERS } from './marks/index.ts'
import { SHAPE_HANDLERS } from './shapes/index.ts'
import { SLIDE_HANDLERS } from './slides/index.ts'
import { TABLE_HANDLERS } from './tables/index.ts'
import { TEXT_HANDLERS } from './text/index.ts'

/** One handler per declared operation; a group is a folder here and a file in `declared/`. */
const HANDLERS = {
  ...TEXT_HANDLERS,
  ...SLIDE_HANDLERS,
  ...MARK_HANDLERS,
  ...TABLE_HANDLERS,
  ...SHAPE_HANDLERS,
  ...CHART_HANDLERS,
}

export const runOperation = toRunner<DeckEditor, typeof OPERATIONS>(OPERATIONS, HANDLERS, {
  index: ({ deck: { slides } }) =>
    slides.length === 0 ? 'the deck has none' : `the last is ${slides.length - 1}`,
  shape: ({ deck }, { index }) => {
    const slide = deck.slides[Number(index)]
    return slide && `slide ${slide.index} has ${shapesOf(slide)}`
  },
  layout: ({ deck }) => `it has ${[...new Set(deck.layouts.map(({ name }) => name))].join(', ')}`,
})
