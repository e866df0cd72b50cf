import { type Fields, takeField } from '@filewright/protocol'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, SIDES, TRACK } from './fields.ts'

const { image, alt, width, align, place, categories, series } = FIELDS
const nth = FIELDS.nth.describe('Which of several there, from 1')

/** Operations on pictures and charts. */
export const PICTURE_OPERATIONS = {
  insert_image: {
    takes: { image, ...BESIDE, ...optional({ alt, width, align }) },
    understands: TRACK,
    either: SIDES,
    files: ['image'],
    does: 'inserts a picture of the workspace in a paragraph of its own, no wider than the text',
    example: { image: 'images/logo.png', after: 'p2', alt: 'The logo of the company' },
    synonyms: ['add_image', 'insert_picture', 'add_picture', 'image'],
    meant: meantPicture,
  },
  replace_image: {
    takes: { image, ...optional({ place, nth, alt, width }) },
    understands: TRACK,
    files: ['image'],
    does: 'puts another picture in the frame of one, in its own proportions',
    example: { image: 'images/logo.png' },
    synonyms: ['replace_picture', 'swap_image', 'set_image', 'update_image'],
    meant: meantPicture,
  },
  set_alt_text: {
    takes: { alt, ...optional({ place, nth }) },
    understands: TRACK,
    does: 'sets what a picture is described as',
    example: { alt: 'The logo of the company' },
    synonyms: ['set_image_alt', 'alt_text', 'set_alt', 'update_alt_text'],
    meant: meantPicture,
  },
  set_chart: {
    takes: optional({ place, nth, categories, series }),
    understands: TRACK,
    needs: ['categories', 'series'],
    does: 'gives a chart new numbers, in what it shows and in its workbook; a new name adds a series',
    example: { series: [{ values: [12, 15] }] },
    synonyms: ['update_chart', 'set_chart_data', 'edit_chart', 'update_chart_data'],
  },
} as const satisfies Readonly<Record<string, TypedOperation>>

/** A picture's fields under other names. */
function meantPicture(fields: Fields): Fields {
  const [image, others] = takeField(fields, ['image', 'image_path', 'picture', 'file', 'source'])
  const [alt, rest] = takeField(others, ['alt', 'alt_text', 'description'])
  return {
    ...(image !== undefined && { image }),
    ...(alt !== undefined && { alt }),
    ...rest,
  }
}
