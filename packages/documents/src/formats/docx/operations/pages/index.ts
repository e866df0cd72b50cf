import type { PAGE_OPERATIONS } from '../../declared/pages.ts'
import type { DocumentHandler } from '../../edit/editor.ts'
import { insertPageBreak, insertSectionBreak } from './breaks.ts'
import { setPageNumbers } from './page-numbers.ts'
import { setFooter, setHeader } from './set-header.ts'
import { setPage } from './set-page.ts'

export const PAGE_HANDLERS: Readonly<Record<keyof typeof PAGE_OPERATIONS, DocumentHandler>> = {
  set_header: setHeader,
  set_footer: setFooter,
  set_page_numbers: setPageNumbers,
  set_page: setPage,
  insert_page_break: insertPageBreak,
  insert_section_break: insertSectionBreak,
}
