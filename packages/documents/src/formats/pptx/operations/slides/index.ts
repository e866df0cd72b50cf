import type { SLIDE_OPERATIONS } from '../../declared/slides.ts'
import type { DeckHandler } from '../../edit/editor.ts'
import { addSlide } from './add-slide.ts'
import { applyLayout } from './apply-layout.ts'
import { deleteSlide } from './delete-slide.ts'
import { duplicateSlide } from './duplicate-slide.ts'
import { importSlides } from './import-slides.ts'
import { hideSlide, moveSlide } from './move-slide.ts'
import { setFooter } from './set-footer.ts'

export const SLIDE_HANDLERS: Readonly<Record<keyof typeof SLIDE_OPERATIONS, DeckHandler>> = {
  add_slide: addSlide,
  duplicate_slide: duplicateSlide,
  import_slides: importSlides,
  move_slide: moveSlide,
  delete_slide: deleteSlide,
  hide_slide: hideSlide,
  apply_layout: applyLayout,
  set_footer: setFooter,
}
