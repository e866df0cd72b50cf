import { at } from '../../../opc/index.ts'
import type { Deck } from './deck.ts'

export interface DeckSection {
  readonly name: string
  /** Keys of its slides. */
  readonly slides: readonly string[]
}

/** The named sections into which a person sorted the slides. */
export function sectionsOf(deck: Deck): readonly DeckSection[] {
  const { main } = deck.package
  const extensions = at(main.root, 'p:extLst')
  if (!extensions) return []
  return [...extensions.all('p14:section')].map(node => ({
    name: main.attribute(node, 'name') ?? '',
    slides: [...node.all('p14:sldId')].map(own => main.attribute(own, 'id') ?? ''),
  }))
}
