import { fail, ok, type Result } from '@filewright/protocol'
import type { DocumentName, DocumentTable, ReadableDocument, ReadableFormat } from '../../format.ts'
import { findBrokenTree } from './library/page-tree.ts'
import { type OpenPdf, withDocument } from './library/with-document.ts'
import type { PdfRegion } from './page/declared.ts'
import { withPage } from './page/page-view.ts'
import { joinTables } from './tables/document-tables.ts'
import { goesOn, type TabledPage, toTabled } from './tables/tabled-page.ts'
import { mapPdf } from './view/map.ts'
import { contentOf } from './view/page-content.ts'
import { readPages } from './view/read.ts'
import { searchPages } from './view/search.ts'

const HEAD_BYTES = 1_024 // some programs write a few lines before the head
const MOST_TABLED_PAGES = 500

/** Pages, read-only. The library must have been started. */
export const pdfFormat: ReadableFormat = {
  open(bytes, name) {
    const { path } = name
    if (!isPdf(bytes))
      return fail(
        'UNREADABLE_FORMAT',
        `Cannot read "${path}": it is named like a PDF, but it is none.`,
      )
    const broken = findBrokenTree(bytes)
    if (broken)
      return fail(
        'UNREADABLE_FORMAT',
        `Cannot read "${path}": its list of pages is damaged (${broken}). Ask the person for another copy.`,
      )
    return ok(openPdf(bytes, name))
  },
}

function openPdf(bytes: Uint8Array, { path }: DocumentName): ReadableDocument {
  return {
    map: () => withDocument(bytes, path, pdf => mapPdf(pdf, path)),
    read: (region: PdfRegion, options) =>
      withDocument(bytes, path, pdf => readPages(pdf, path, region, options)),
    search: query => withDocument(bytes, path, pdf => ok(searchPages(pdf, query))),
    tables: named => withDocument(bytes, path, pdf => findTables(pdf, path, named)),
  }
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, HEAD_BYTES)).includes('%PDF-')
}

/** All of them, or from the page that a name has. */
function findTables(
  pdf: OpenPdf,
  path: string,
  named: string | undefined,
): Result<readonly DocumentTable[], 'TOO_LARGE'> {
  const first = Number(/^page (\d+) table \d+$/i.exec(named?.trim() ?? '')?.[1] ?? 0)
  if (first > 0) {
    // With the page before: what goes on from there has the name that it has there.
    const belongs = (last: TabledPage, next: TabledPage) => next.page <= first || goesOn(last, next)
    const around = joinTables(pagesFrom(pdf, Math.max(1, first - 1), belongs))
    return ok(around.filter(({ name }) => name.startsWith(`page ${first} `)))
  }
  if (pdf.pageCount > MOST_TABLED_PAGES)
    return fail(
      'TOO_LARGE',
      `Cannot look for tables in all of "${path}": it has ${pdf.pageCount} pages, and at most ${MOST_TABLED_PAGES} are looked at. Name one as read_file shows it, such as table: "page 7 table 1".`,
    )
  return ok(joinTables(pagesFrom(pdf, 1, () => true)))
}

/** As long as the next page belongs to those before. */
function pagesFrom(
  pdf: OpenPdf,
  first: number,
  belongs: (last: TabledPage, next: TabledPage) => boolean,
): TabledPage[] {
  const pages: TabledPage[] = []
  for (let number = first; number <= pdf.pageCount; number++) {
    const page = withPage(pdf, number, view => toTabled(number, contentOf(view), view.height))
    const last = pages.at(-1)
    if (page && last && !belongs(last, page)) break
    if (page) pages.push(page)
  }
  return pages
}
