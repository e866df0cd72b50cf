import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { BLOCK_OPERATIONS } from '../../declared/blocks.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { insertMarkdown } from './insert-markdown.ts'

export const BLOCK_HANDLERS: OperationHandlers<DocumentEditor, typeof BLOCK_OPERATIONS> = {
  insert_markdown: insertMarkdown,
}
