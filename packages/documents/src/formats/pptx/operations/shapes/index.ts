import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { SHAPE_OPERATIONS } from '../../declared/shapes.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { addTable } from './add-table.ts'
import { addTextBox } from './add-text-box.ts'
import { deleteShape } from './delete-shape.ts'
import { addImage, replaceImage } from './images.ts'
import { moveShape, setAltText } from './move-shape.ts'

export const SHAPE_HANDLERS: OperationHandlers<DeckEditor, typeof SHAPE_OPERATIONS> = {
  add_text_box: addTextBox,
  add_table: addTable,
  add_image: addImage,
  replace_image: replaceImage,
  delete_shape: deleteShape,
  move_shape: moveShape,
  set_alt_text: setAltText,
}
