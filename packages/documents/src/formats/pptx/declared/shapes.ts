import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BOX_FIELDS, FIELDS, OLDER } from './fields.ts'
import { meantImage, meantShape, meantTable } from './meant.ts'

const { index, shape, text, size, bold, values, header, image, alt } = FIELDS

/** Operations on shapes as such. Places and sizes are in points from the top left. */
export const SHAPE_OPERATIONS = {
  add_text_box: {
    takes: { index, text, ...optional({ ...BOX_FIELDS, size, bold }) },
    spellings: OLDER,
    does: 'adds a box with text, in points from the top left',
    example: { index: 0, text: 'Draft', left: 40, top: 400, width: 200 },
    synonyms: ['add_textbox', 'insert_text_box', 'add_text_shape'],
    meant: meantShape,
  },
  add_table: {
    takes: { index, values: values.min(1).max(200), ...optional({ ...BOX_FIELDS, header }) },
    spellings: OLDER,
    does: "adds a table in the deck's usual table style",
    example: { index: 0, values: [['Item', 'Price'], ['Bread', 3]] }, // biome-ignore format: rows
    synonyms: ['insert_table', 'create_table', 'new_table'],
    meant: meantTable,
  },
  add_image: {
    takes: { index, image, ...optional({ alt, ...BOX_FIELDS }) },
    spellings: OLDER,
    files: ['image'],
    does: 'adds a picture of the workspace',
    example: { index: 0, image: 'images/logo.png', alt: 'The logo of the company' },
    synonyms: ['insert_image', 'add_picture', 'insert_picture'],
    meant: meantImage,
  },
  replace_image: {
    takes: { index, shape, image },
    spellings: OLDER,
    files: ['image'],
    does: 'shows another picture of the workspace in the same place',
    example: { index: 0, shape: 'Picture', image: 'images/logo.png' },
    synonyms: ['replace_picture', 'swap_image'],
    meant: meantImage,
  },
  delete_shape: {
    takes: { index, shape },
    spellings: OLDER,
    does: 'deletes a shape, a picture, a table or a chart',
    example: { index: 0, shape: 4 },
    synonyms: ['remove_shape', 'delete_table', 'delete_image', 'delete_picture'],
    meant: meantShape,
  },
  move_shape: {
    takes: { index, shape, ...optional(BOX_FIELDS) },
    needs: ['left', 'top', 'width', 'height'],
    spellings: OLDER,
    does: 'moves or resizes a shape; one that followed its layout no longer does',
    example: { index: 0, shape: 'title', top: 20 },
    synonyms: ['resize_shape', 'set_position', 'set_shape_position', 'position_shape'],
    meant: meantShape,
  },
  set_alt_text: {
    takes: { index, shape, alt },
    spellings: OLDER,
    does: 'says what a shape shows, for people who cannot see it',
    example: { index: 0, shape: 'Picture', alt: 'A map of the town' },
    synonyms: ['alt_text', 'set_description'],
    meant: meantShape,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
