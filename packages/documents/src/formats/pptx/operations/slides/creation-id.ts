import type { Slide } from '../../slide/deck.ts'

/** Two slides of a deck have two creation ids: a copy takes its own from its key. */
export function renewCreationId({ key, page: { tree } }: Slide): void {
  for (const node of tree.root.all('p14:creationId')) tree.setAttribute(node, 'val', key)
}
