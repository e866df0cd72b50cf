import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { TEXT_OPERATIONS } from '../../declared/text.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { deleteParagraph, moveParagraph } from './delete-paragraph.ts'
import { appendParagraph, insertParagraph } from './insert-paragraph.ts'
import { replaceText } from './replace-text.ts'
import { setParagraph, setParagraphs } from './set-paragraph.ts'

export const TEXT_HANDLERS: OperationHandlers<DocumentEditor, typeof TEXT_OPERATIONS> = {
  replace_text: replaceText,
  set_paragraph: setParagraph,
  set_paragraphs: setParagraphs,
  insert_paragraph: insertParagraph,
  append_paragraph: appendParagraph,
  delete_paragraph: deleteParagraph,
  move_paragraph: moveParagraph,
}
