import { ok, type Result } from '@filewright/protocol'
import type { SearchHits, SearchQuery } from '../../../format.ts'
import { matcherOf } from '../../../text-matcher.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { placeOf } from '../story/places.ts'
import { plainText } from './show.ts'

const LONGEST = 300 // characters of a paragraph in a hit

/** Searches the logical text of every paragraph, whatever runs it is scattered over; deleted text is not found. */
export function searchDocument(manuscript: Manuscript, query: SearchQuery): Result<SearchHits> {
  const matches = matcherOf(query)
  const hits: SearchHits['hits'][number][] = []
  for (const story of manuscript.stories)
    for (const paragraph of story.paragraphs) {
      if (hits.length > query.maxHits) break
      const text = plainText(paragraph)
      if (text === '' || !matches(text)) continue
      const { id } = paragraph
      const shown = text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
      hits.push({ region: { paragraphs: id }, place: placeOf(id), text: shown })
    }
  return ok({ hits: hits.slice(0, query.maxHits), isTruncated: hits.length > query.maxHits })
}
