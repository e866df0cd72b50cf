import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { SLIDE_OPERATIONS } from '../../declared/slides.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { addSlide } from './add-slide.ts'
import { applyLayout } from './apply-layout.ts'
import { deleteSlide } from './delete-slide.ts'
import { duplicateSlide } from './duplicate-slide.ts'
import { importSlides } from './import-slides.ts'
import { hideSlide, moveSlide } from './move-slide.ts'
import { setFooter } from './set-footer.ts'

export const SLIDE_HANDLERS: OperationHandlers<DeckEditor, typeof SLIDE_OPERATIONS> = {
  add_slide: addSlide,
  duplicate_slide: duplicateSlide,
  import_slides: importSlides,
  move_slide: moveSlide,
  delete_slide: deleteSlide,
  hide_slide: hideSlide,
  apply_layout: applyLayout,
  set_footer: setFooter,
}
