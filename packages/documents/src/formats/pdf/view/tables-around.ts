import type { OpenPdf } from '../library/with-document.ts'
import { type PageView, withPage } from '../page/page-view.ts'
import { partsOf, type TableStretch } from '../tables/document-tables.ts'
import { goesOn, type TabledPage, toTabled } from '../tables/tabled-page.ts'
import { contentOf, type PageContent } from './page-content.ts'

const MOST_BEFORE = 20 // pages looked at to find where a table began

/** Pages as they are read, and what their tables are of the whole file. */
export interface PagesWithTables {
  content(view: PageView): PageContent
  /** The tables of a page; undefined for those whose beginning is too far away. */
  partsOn(view: PageView): readonly TableStretch[] | undefined
}

/** The pages before and after are looked at only where a table may come from there or go on. */
export function tablesAround(pdf: OpenPdf): PagesWithTables {
  const contents = new Map<number, PageContent>()
  const tabled = new Map<number, TabledPage | undefined>()

  function content(view: PageView): PageContent {
    const known = contents.get(view.number) ?? contentOf(view)
    contents.clear() // the next page may have been looked at; those before are over
    contents.set(view.number, known)
    return known
  }

  function look(view: PageView): TabledPage {
    const shown = contents.get(view.number) ?? contentOf(view)
    contents.set(view.number, shown)
    return toTabled(view.number, shown, view.height)
  }

  function pageAt(number: number): TabledPage | undefined {
    if (number < 1 || number > pdf.pageCount) return undefined
    if (!tabled.has(number)) tabled.set(number, withPage(pdf, number, look))
    return tabled.get(number)
  }

  function partsOn(view: PageView): readonly TableStretch[] | undefined {
    const own = look(view)
    tabled.set(view.number, own)
    const pages = [own]
    while (pages[0]!.startsWithTable) {
      const before = pageAt(pages[0]!.page - 1)
      if (!goesOn(before, pages[0])) break
      if (pages.length > MOST_BEFORE) return undefined
      pages.unshift(before!)
    }
    const after = own.endsWithTable ? pageAt(own.page + 1) : undefined
    return partsOf(after ? [...pages, after] : pages).filter(({ page }) => page === own.page)
  }

  return { content, partsOn }
}
