import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { REFERENCE_OPERATIONS } from '../../declared/references.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { deleteBookmark, setBookmark } from './bookmarks.ts'
import { insertCrossReference } from './cross-reference.ts'
import { insertCaption, insertToc } from './field-paragraphs.ts'
import { setProperties } from './set-properties.ts'

export const REFERENCE_HANDLERS: OperationHandlers<DocumentEditor, typeof REFERENCE_OPERATIONS> = {
  set_bookmark: setBookmark,
  delete_bookmark: deleteBookmark,
  insert_cross_reference: insertCrossReference,
  insert_caption: insertCaption,
  insert_toc: insertToc,
  set_properties: setProperties,
}
