import type { LIST_OPERATIONS } from '../../declared/lists.ts'
import type { DocumentHandler } from '../../edit/editor.ts'
import { insertList } from './insert-list.ts'
import { continueList, restartList } from './renumber-list.ts'

export const LIST_HANDLERS: Readonly<Record<keyof typeof LIST_OPERATIONS, DocumentHandler>> = {
  insert_list: insertList,
  restart_list: restartList,
  continue_list: continueList,
}
