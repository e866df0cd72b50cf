import type { Slide } from './deck.ts'
import { isTitle } from './inherit.ts'
import type { Shape } from './page.ts'
import { bodyText } from './text.ts'

export function titleShape({ page }: Pick<Slide, 'page'>): Shape | undefined {
  return page.shapes.find(shape => isTitle(shape) && shape.body)
}

/** The text of its title; '' where it has none. */
export function titleOf(slide: Slide): string {
  const shape = titleShape(slide)
  return shape?.body ? bodyText(shape.page.tree, shape.body).replace(/\s+/g, ' ').trim() : ''
}
