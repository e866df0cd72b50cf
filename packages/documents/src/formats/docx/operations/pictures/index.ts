import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { PICTURE_OPERATIONS } from '../../declared/pictures.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { insertImage } from './insert-image.ts'
import { replaceImage } from './replace-image.ts'
import { setAltText } from './set-alt-text.ts'
import { setChart } from './set-chart.ts'

export const PICTURE_HANDLERS: OperationHandlers<DocumentEditor, typeof PICTURE_OPERATIONS> = {
  insert_image: insertImage,
  replace_image: replaceImage,
  set_alt_text: setAltText,
  set_chart: setChart,
}
