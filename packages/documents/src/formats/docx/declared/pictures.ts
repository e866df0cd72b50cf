import { type Fields, takeField } from '@filewright/protocol'
import { z } from 'zod'
import type { OperationDeclaration } from '../../../operation-table.ts'

/** Operations on pictures and charts. */
export const PICTURE_OPERATIONS = {
  insert_image: {
    takes: ['image', 'after | before', 'alt?', 'width?', 'align?'],
    understands: ['after', 'before', 'track'],
    files: ['image'],
    does: 'inserts a picture of the workspace in a paragraph of its own, no wider than the text',
    synonyms: ['add_image', 'insert_picture', 'add_picture', 'image'],
    meant: meantPicture,
  },
  replace_image: {
    takes: ['image', 'place?', 'nth?', 'alt?', 'width?'],
    understands: ['track'],
    files: ['image'],
    does: 'puts another picture in the frame of one, in its own proportions',
    synonyms: ['replace_picture', 'swap_image', 'set_image', 'update_image'],
    meant: meantPicture,
  },
  set_alt_text: {
    takes: ['alt', 'place?', 'nth?'],
    understands: ['track'],
    does: 'sets what a picture is described as',
    synonyms: ['set_image_alt', 'alt_text', 'set_alt', 'update_alt_text'],
    meant: meantPicture,
  },
  set_chart: {
    takes: ['place?', 'nth?', 'categories?', 'series?: [{name, values}]'],
    understands: ['track'],
    does: 'gives a chart new numbers, in what it shows and in its workbook; a new name adds a series',
    synonyms: ['update_chart', 'set_chart_data', 'edit_chart', 'update_chart_data'],
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>

export const PICTURE_FIELDS = {
  image: z.string().describe('Path of a picture file in the workspace'),
  alt: z.string().describe('What a picture shows, for readers who cannot see it'),
  width: z.number().describe('Width of a picture in centimetres'),
}

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
