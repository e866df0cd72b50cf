import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { COPY_OPERATIONS } from '../../declared/copy.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { compareWith } from './compare-with.ts'
import { copyBlocks } from './copy-blocks.ts'

export const COPY_HANDLERS: OperationHandlers<DocumentEditor, typeof COPY_OPERATIONS> = {
  copy_blocks: copyBlocks,
  compare_with: compareWith,
}
