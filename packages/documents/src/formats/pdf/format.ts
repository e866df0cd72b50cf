import { fail, ok } from '@filewright/protocol'
import type { DocumentName, ReadableDocument, ReadableFormat } from '../../format.ts'
import { findBrokenTree } from './library/page-tree.ts'
import { type OpenPdf, withDocument } from './library/with-document.ts'
import type { PdfRegion } from './page/declared.ts'
import { around } from './page/geometry.ts'
import { withPage } from './page/page-view.ts'
import { joinTables, type TabledPage } from './tables/document-tables.ts'
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
    tables: () => withDocument(bytes, path, pdf => ok(joinTables(tabledPages(pdf)))),
  }
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, HEAD_BYTES)).includes('%PDF-')
}

function tabledPages(pdf: OpenPdf): TabledPage[] {
  const pages: TabledPage[] = []
  for (let number = 1; number <= Math.min(pdf.pageCount, MOST_TABLED_PAGES); number++) {
    const page = withPage(pdf, number, view => toTabled(number, contentOf(view), view.height))
    if (page) pages.push(page)
  }
  return pages
}

const MARGIN = 0.1 // of the page's height: head and foot

function toTabled(page: number, content: ReturnType<typeof contentOf>, height: number): TabledPage {
  const { lines, tables } = content
  const ofTables = new Set(tables.map(({ box }) => box))
  const text = lines.filter(({ text: own, box }) => own !== '' && !ofTables.has(box))
  const body = text.filter(
    ({ box }) => box.bottom > MARGIN * height && box.top < (1 - MARGIN) * height,
  )
  const whole = tables.length > 0 ? around(tables.map(({ box }) => box)) : undefined
  return {
    page,
    tables,
    startsWithTable: whole !== undefined && body.every(({ box }) => box.top >= whole.top),
    endsWithTable: whole !== undefined && body.every(({ box }) => box.bottom <= whole.bottom),
  }
}
