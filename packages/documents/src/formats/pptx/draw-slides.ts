import { ok, type Result, toBytes } from '@filewright/protocol'
import type { DrawnPart, DrawRequest } from '../../format.ts'
import type { DeckRegion } from './declared/selectors.ts'
import { DeckPackage } from './parts/deck-package.ts'
import { Deck } from './slide/deck.ts'
import { chooseSlides } from './view/read.ts'

/** The deck with every slide to be seen, and the pages of those asked for: hidden slides have none otherwise. */
export function drawSlides(input: object, files: readonly Uint8Array[]): Result<DrawnPart> {
  const [bytes] = files
  const region: DeckRegion | undefined = (input as DrawRequest).region
  if (!region) return ok({ part: 'the deck', warnings: [] })
  const opened = DeckPackage.open(bytes!)
  if (!opened.ok) return opened
  const deck = new Deck(opened.value)
  const isAll = region.slide_index === undefined && region.slides === undefined
  const chosen = chooseSlides(deck, region)
  if (!chosen.ok) return chosen
  const [first, last] = [chosen.value[0], chosen.value.at(-1)]
  for (const { isHidden, page } of deck.slides)
    if (isHidden) page.tree.setAttribute(page.tree.root, 'show', '1')
  const content = deck.package.content()
  if (!content.ok) return content
  const range = first && last ? `${first.index + 1}-${last.index + 1}` : undefined
  return ok({
    bytes: toBytes(content.value, bytes!),
    ...(range && !isAll && { pages: range }),
    part: first === last ? `slide_index ${first?.index}` : `slides ${first?.index}-${last?.index}`,
    warnings: [],
  })
}
