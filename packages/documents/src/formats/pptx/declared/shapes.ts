import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantImage, meantShape, meantTable } from './meant.ts'

/** Operations on shapes as such. Places and sizes are in points from the top left. */
export const SHAPE_OPERATIONS = {
  add_text_box: {
    takes: ['index', 'text', 'left', 'top', 'width', 'height?', 'size?', 'bold?'],
    understands: ['slide_index'],
    does: 'adds a box with text, in points from the top left',
    synonyms: ['add_textbox', 'insert_text_box', 'add_text_shape'],
    meant: meantShape,
  },
  add_table: {
    takes: ['index', 'values', 'left?', 'top?', 'width?', 'height?', 'header?'],
    understands: ['slide_index'],
    does: "adds a table in the deck's usual table style",
    synonyms: ['insert_table', 'create_table', 'new_table'],
    meant: meantTable,
  },
  add_image: {
    takes: ['index', 'image', 'alt?', 'left?', 'top?', 'width?', 'height?'],
    understands: ['slide_index'],
    files: ['image'],
    does: 'adds a picture of the workspace',
    synonyms: ['insert_image', 'add_picture', 'insert_picture'],
    meant: meantImage,
  },
  replace_image: {
    takes: ['index', 'shape', 'image'],
    understands: ['slide_index'],
    files: ['image'],
    does: 'shows another picture of the workspace in the same place',
    synonyms: ['replace_picture', 'swap_image'],
    meant: meantImage,
  },
  delete_shape: {
    takes: ['index', 'shape'],
    understands: ['slide_index'],
    does: 'deletes a shape, a picture, a table or a chart',
    synonyms: ['remove_shape', 'delete_table', 'delete_image', 'delete_picture'],
    meant: meantShape,
  },
  move_shape: {
    takes: ['index', 'shape', 'left?', 'top?', 'width?', 'height?'],
    understands: ['slide_index'],
    does: 'moves or resizes a shape; one that followed its layout no longer does',
    synonyms: ['resize_shape', 'set_position', 'set_shape_position', 'position_shape'],
    meant: meantShape,
  },
  set_alt_text: {
    takes: ['index', 'shape', 'alt'],
    understands: ['slide_index'],
    does: 'says what a shape shows, for people who cannot see it',
    synonyms: ['alt_text', 'set_description'],
    meant: meantShape,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
