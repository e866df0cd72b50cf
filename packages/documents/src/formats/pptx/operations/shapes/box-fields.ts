import { warnOfCovered } from '../../edit/covered.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { EMU } from '../../parts/values.ts'
import type { Slide } from '../../slide/deck.ts'
import type { ShapeBox } from '../../slide/page.ts'

/** In points. */
export type BoxArguments = { readonly [Side in keyof ShapeBox]?: number | undefined }

/** A box in points as an operation gives it; what it leaves out is as in `usual`. */
export function boxOf(points: BoxArguments, usual: ShapeBox): ShapeBox {
  const side = (name: keyof ShapeBox) => {
    const value = points[name]
    return value === undefined ? usual[name] : Math.round(value * EMU)
  }
  return { left: side('left'), top: side('top'), width: side('width'), height: side('height') }
}

/** The middle of the slide below its title. */
export function middleOf({ deck }: Slide): ShapeBox {
  const { width, height } = deck.size
  return {
    left: Math.round(width * 0.08),
    top: Math.round(height * 0.28),
    width: Math.round(width * 0.84),
    height: Math.round(height * 0.6),
  }
}

export function boxXml({ left, top, width, height }: ShapeBox): string {
  return `<a:off x="${left}" y="${top}"/><a:ext cx="${width}" cy="${height}"/>`
}

/** A shape that an operation makes is one change, refused whole or not at all. */
export function addingShape(
  editor: DeckEditor,
  slide: Slide,
  id: string,
  name: string,
  made: { readonly kind: string; readonly text: string; readonly make: () => void },
): boolean {
  return editor.change(
    {
      kind: made.kind,
      place: `${editor.deck.slidePlace(slide.key)} › ${name} #${id}`,
      keys: [`@${slide.key}/${id}`],
      reads: [`@${slide.key}`],
      before: null,
      after: () => ({ text: made.text }),
      atomic: true,
    },
    () => {
      made.make()
      warnOfCovered(editor, slide, id)
      return true
    },
  )
}
