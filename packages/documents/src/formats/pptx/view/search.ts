import { ok, type Result } from '@filewright/protocol'
import type { SearchHits, SearchQuery } from '../../../format.ts'
import { type SearchedPiece, searchPieces } from '../../../search-pieces.ts'
import { bodiesOf } from '../slide/bodies.ts'
import type { Deck } from '../slide/deck.ts'
import { paragraphsOf, shownText } from '../slide/text.ts'
import { shapeLines } from './show.ts'

/** Searches every paragraph of every slide, cells and notes too, and the text of charts and SmartArt. */
export function searchDeck(deck: Deck, query: SearchQuery): Result<SearchHits> {
  return ok(searchPieces(pieces(deck), query))
}

function* pieces(deck: Deck): Generator<SearchedPiece> {
  for (const slide of deck.slides) {
    const region = { slide_index: slide.index }
    for (const { tree, node, ref } of bodiesOf(slide))
      for (const paragraph of paragraphsOf(node))
        yield { text: shownText(tree, paragraph), region, place: deck.placeOf(ref) }
    for (const shape of slide.page.shapes) {
      if (shape.kind !== 'chart' && shape.kind !== 'diagram') continue
      const place = deck.placeOf(`@${slide.key}/${shape.key}`)
      for (const text of shapeLines(slide, shape)) yield { text, region, place }
    }
  }
}
