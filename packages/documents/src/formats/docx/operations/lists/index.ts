import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { LIST_OPERATIONS } from '../../declared/lists.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { insertList } from './insert-list.ts'
import { continueList, restartList } from './renumber-list.ts'

export const LIST_HANDLERS: OperationHandlers<DocumentEditor, typeof LIST_OPERATIONS> = {
  insert_list: insertList,
  restart_list: restartList,
  continue_list: continueList,
}
