import type { Fields } from '@filewright/protocol'
import { warnOfCovered } from '../../edit/covered.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { EMU } from '../../parts/values.ts'
import type { Slide } from '../../slide/deck.ts'
import type { ShapeBox } from '../../slide/page.ts'

const MOST = 5000 // points, more than the largest slide

/** A box in points as the fields give it; what they leave out is as in `usual`. */
export function boxField(operation: Fields, usual: ShapeBox): ShapeBox {
  const field = (name: keyof ShapeBox) => {
    const value = operation[name]
    if (value === undefined || value === null) return usual[name]
    const isSize = name === 'width' || name === 'height'
    if (typeof value !== 'number' || Math.abs(value) > MOST || (isSize && value <= 0))
      throw wrongArgument(
        `${operation.op}: ${name} is in points${isSize ? ', more than 0' : ' from the top left'}, and ${JSON.stringify(value)} is not`,
      )
    return Math.round(value * EMU)
  }
  return {
    left: field('left'),
    top: field('top'),
    width: field('width'),
    height: field('height'),
  }
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
