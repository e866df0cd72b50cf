import type { BLOCK_OPERATIONS } from '../../declared/blocks.ts'
import type { DocumentHandler } from '../../edit/editor.ts'
import { insertMarkdown } from './insert-markdown.ts'

export const BLOCK_HANDLERS: Readonly<Record<keyof typeof BLOCK_OPERATIONS, DocumentHandler>> = {
  insert_markdown: insertMarkdown,
}
