import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { PAGE_OPERATIONS } from '../../declared/pages.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { insertPageBreak, insertSectionBreak } from './breaks.ts'
import { setPageNumbers } from './page-numbers.ts'
import { setFooter, setHeader } from './set-header.ts'
import { setPage } from './set-page.ts'

export const PAGE_HANDLERS: OperationHandlers<DocumentEditor, typeof PAGE_OPERATIONS> = {
  set_header: setHeader,
  set_footer: setFooter,
  set_page_numbers: setPageNumbers,
  set_page: setPage,
  insert_page_break: insertPageBreak,
  insert_section_break: insertSectionBreak,
}
