import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantImport, meantNewSlide, meantSlide } from './meant.ts'

/** Operations on whole slides. */
export const SLIDE_OPERATIONS = {
  add_slide: {
    takes: ['layout?', 'at?', 'title?', 'body?', 'notes?'],
    does: "adds a slide from one of the deck's own layouts, at the end unless at gives its index; without layout like its neighbour",
    synonyms: ['new_slide', 'insert_slide', 'create_slide'],
    meant: meantNewSlide,
  },
  duplicate_slide: {
    takes: ['index', 'to?'],
    understands: ['slide_index'],
    does: 'copies a slide with its notes, charts and tables, behind itself unless to gives an index; comments are not copied',
    synonyms: ['copy_slide', 'clone_slide'],
    meant: meantSlide,
  },
  import_slides: {
    takes: ['from', 'slides?', 'at?', 'design?'],
    files: ['from'],
    does: "copies slides of another deck with notes, charts, media and diagrams, at the end unless at gives an index; design: target takes this deck's layouts, source brings the other deck's",
    synonyms: ['copy_slides', 'import_slide', 'insert_slides', 'merge_slides', 'copy_slides_from'],
    meant: meantImport,
  },
  move_slide: {
    takes: ['index', 'to'],
    understands: ['slide_index'],
    does: 'moves a slide so that its index is to',
    synonyms: ['reorder_slide', 'reorder_slides'],
    meant: meantSlide,
  },
  delete_slide: {
    takes: ['index'],
    understands: ['slide_index'],
    does: 'deletes a slide',
    synonyms: ['remove_slide', 'delete_slides'],
    meant: meantSlide,
  },
  hide_slide: {
    takes: ['index', 'hidden?'],
    understands: ['slide_index'],
    does: 'hides a slide in the show; hidden: false shows it',
    synonyms: ['show_slide', 'set_slide_hidden', 'unhide_slide'],
    meant: meantSlide,
  },
  apply_layout: {
    takes: ['index', 'layout'],
    understands: ['slide_index'],
    does: 'gives a slide another layout of the deck; its texts move to the placeholders of the same kind',
    synonyms: ['set_layout', 'change_layout', 'set_slide_layout'],
    meant: meantSlide,
  },
  set_footer: {
    takes: ['text?', 'date?', 'slide_number?', 'index?'],
    understands: ['slide_index'],
    does: 'sets footer text, date and slide number on a slide or on all; "" or false removes them',
    synonyms: ['set_footers', 'add_slide_numbers', 'set_slide_numbers'],
    meant: meantSlide,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
