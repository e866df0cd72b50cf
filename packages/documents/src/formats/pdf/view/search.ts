import type { SearchHits, SearchQuery } from '../../../format.ts'
import { type SearchedPiece, searchPieces } from '../../../search-pieces.ts'
import type { OpenPdf } from '../library/with-document.ts'
import { withPage } from '../page/page-view.ts'
import { contentOf } from './page-content.ts'

/** Every line of every page that contains the text or matches the expression. */
export function searchPages(pdf: OpenPdf, query: SearchQuery): SearchHits {
  return searchPieces(linesOf(pdf), query)
}

function* linesOf(pdf: OpenPdf): Generator<SearchedPiece> {
  for (let page = 1; page <= pdf.pageCount; page++)
    for (const { text } of withPage(pdf, page, view => contentOf(view).lines) ?? [])
      yield { text, region: { pages: `${page}` }, place: `page ${page}` }
}
