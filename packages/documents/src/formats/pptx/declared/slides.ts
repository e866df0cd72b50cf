import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS, OLDER } from './fields.ts'
import { meantImport, meantNewSlide, meantSlide } from './meant.ts'

const { index, layout, title, body, notes, from, slides, text, date, hidden } = FIELDS
const at = FIELDS.at.min(0)
const to = FIELDS.to.min(0)

/** Operations on whole slides. */
export const SLIDE_OPERATIONS = {
  add_slide: {
    takes: optional({ layout, at, title, body, notes }),
    does: "adds a slide from one of the deck's own layouts, at the end unless at gives its index; without layout like its neighbour",
    example: { title: 'Results', body: ['Sales grew', { text: 'in all regions', level: 1 }] },
    synonyms: ['new_slide', 'insert_slide', 'create_slide'],
    meant: meantNewSlide,
  },
  duplicate_slide: {
    takes: { index, ...optional({ to }) },
    spellings: OLDER,
    does: 'copies a slide with its notes, charts and tables, behind itself unless to gives an index; comments are not copied',
    example: { index: 0 },
    synonyms: ['copy_slide', 'clone_slide'],
    meant: meantSlide,
  },
  import_slides: {
    takes: {
      from,
      ...optional({ slides, at }),
      design: z.enum(['target', 'source']).default('target').describe(FIELDS.design.description!),
    },
    files: ['from'],
    does: "copies slides of another deck with notes, charts, media and diagrams, at the end unless at gives an index; design: target takes this deck's layouts, source brings the other deck's",
    example: { from: 'other.pptx', slides: [0] },
    synonyms: ['copy_slides', 'import_slide', 'insert_slides', 'merge_slides', 'copy_slides_from'],
    meant: meantImport,
  },
  move_slide: {
    takes: { index, to },
    spellings: OLDER,
    does: 'moves a slide so that its index is to',
    example: { index: 1, to: 0 },
    synonyms: ['reorder_slide', 'reorder_slides'],
    meant: meantSlide,
  },
  delete_slide: {
    takes: { index },
    spellings: OLDER,
    does: 'deletes a slide',
    example: { index: 1 },
    synonyms: ['remove_slide', 'delete_slides'],
    meant: meantSlide,
  },
  hide_slide: {
    takes: { index, hidden: hidden.default(true) },
    spellings: OLDER,
    does: 'hides a slide in the show; hidden: false shows it',
    example: { index: 1 },
    synonyms: ['show_slide', 'set_slide_hidden', 'unhide_slide'],
    meant: meantSlide,
  },
  apply_layout: {
    takes: { index, layout },
    spellings: OLDER,
    does: 'gives a slide another layout of the deck; its texts move to the placeholders of the same kind',
    example: { index: 0, layout: 'Title Only' },
    synonyms: ['set_layout', 'change_layout', 'set_slide_layout'],
    meant: meantSlide,
  },
  set_footer: {
    takes: optional({ text, date, slide_number: FIELDS.slide_number, index }),
    needs: ['text', 'date', 'slide_number'],
    spellings: OLDER,
    does: 'sets footer text, date and slide number on a slide or on all; "" or false removes them',
    example: { text: 'Confidential', slide_number: true },
    synonyms: ['set_footers', 'add_slide_numbers', 'set_slide_numbers'],
    meant: meantSlide,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
