import type { COPY_OPERATIONS } from '../../declared/copy.ts'
import type { DocumentHandler } from '../../edit/editor.ts'
import { compareWith } from './compare-with.ts'
import { copyBlocks } from './copy-blocks.ts'

export const COPY_HANDLERS: Readonly<Record<keyof typeof COPY_OPERATIONS, DocumentHandler>> = {
  copy_blocks: copyBlocks,
  compare_with: compareWith,
}
