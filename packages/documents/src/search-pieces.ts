import type { Region } from '@filewright/protocol'
import type { SearchHits, SearchQuery } from './format.ts'
import { matcherOf } from './text-matcher.ts'

/** A line, a cell or a paragraph that can be searched. */
export interface SearchedPiece {
  readonly text: string
  readonly region: Region
  readonly place: string
}

const MOST_CHARACTERS = 300

/** Every piece that contains the text or matches the expression. */
export function searchPieces(pieces: Iterable<SearchedPiece>, query: SearchQuery): SearchHits {
  const matches = matcherOf(query)
  const hits: SearchHits['hits'][number][] = []
  let total = 0
  for (const { text, region, place } of pieces) {
    if (text === '' || !matches(text)) continue
    total++
    if (hits.length < query.maxHits) hits.push({ region, place, text: clip(text) })
  }
  return { hits, isTruncated: total > hits.length, total }
}

function clip(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`
}
