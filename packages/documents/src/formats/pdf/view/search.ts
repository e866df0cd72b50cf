import type { SearchHits, SearchQuery } from '../../../format.ts'
import { type SearchedPiece, searchPieces } from '../../../search-pieces.ts'
import type { OpenPdf } from '../library/with-document.ts'
import { type PageView, withPage } from '../page/page-view.ts'
import { rawTextOf } from '../page/words.ts'
import { contentOf } from './page-content.ts'

/** Every line of every page that contains the text or matches the expression. */
export function searchPages(pdf: OpenPdf, query: SearchQuery): SearchHits {
  return searchPieces(linesOf(pdf, wordsIn(query)), query)
}

function* linesOf(pdf: OpenPdf, words: readonly string[]): Generator<SearchedPiece> {
  const read = (view: PageView) => (hasAll(view, words) ? contentOf(view).lines : [])
  for (let page = 1; page <= pdf.pageCount; page++)
    for (const { text } of withPage(pdf, page, read) ?? [])
      yield { text, region: { pages: `${page}` }, place: `page ${page}` }
}

const WORD = /[\p{L}\p{N}]+/gu
const TOUCHING = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u // their words have no space between them

/** Runs of letters that a page with a hit must have, whatever order its lines are read in; none for an expression. */
function wordsIn({ text }: SearchQuery): string[] {
  return (folded(text ?? '').match(WORD) ?? []).filter(word => !TOUCHING.test(word))
}

/** Putting a page into lines costs many times what its bare letters do. */
function hasAll(view: PageView, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const raw = rawTextOf(view)
  if (raw === undefined) return true
  const letters = folded(raw.replace(/[\0\ufffe\uffff]/g, ''))
  return words.every(word => letters.includes(word))
}

/** The last sigma of a word has a form of its own, which depends on what follows. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
