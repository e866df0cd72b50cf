import { EMU } from '../parts/values.ts'
import type { Slide } from '../slide/deck.ts'
import { fitOf } from '../slide/fit.ts'
import { boxOf, isFooter, isTitle } from '../slide/inherit.ts'
import type { Shape, ShapeBox } from '../slide/page.ts'
import { shownText } from '../slide/text.ts'
import type { DeckEditor } from './editor.ts'

const INSETS = 14.4 * EMU // above and below a text
const TOUCHING = 0.05 // of the smaller of the two: edges that only meet
const BACKGROUND = 0.5 // of the slide: a picture this large is meant to have something on it
const MOST_NAMED = 4

/** What says something on the slide and lies under that shape, or over it. */
export function coveredBy({ deck }: DeckEditor, slide: Slide, key: string): readonly Shape[] {
  const shape = slide.page.shape(key)
  const box = shape && !shape.group ? boxOf(deck, shape) : undefined
  if (!box) return []
  return slide.page.shapes.filter(own => {
    const place = own.key === key ? undefined : contentBox(slide, own)
    return place !== undefined && sharedArea(place, box) > TOUCHING * smaller(place, box)
  })
}

/** Warns of what the shape lies over since it was put there, or grew. */
export function warnOfCovered(
  editor: DeckEditor,
  slide: Slide,
  key: string,
  before: readonly Shape[] = [],
): void {
  const known = new Set(before.map(own => own.key))
  const covered = coveredBy(editor, slide, key).filter(own => !known.has(own.key))
  if (covered.length === 0) return
  const named = covered.slice(0, MOST_NAMED).map(own => `${own.name} (${own.key})`)
  const more = covered.length - named.length
  editor.warn(
    `${slide.page.shape(key)!.name} (${key}) on slide ${slide.index} lies over ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}; move_shape makes room.`,
  )
}

/** Where something is to be seen: of a text its lines. Undefined for what says nothing, and for backgrounds. */
function contentBox({ deck, page }: Slide, shape: Shape): ShapeBox | undefined {
  if (shape.group || shape.kind === 'connector' || isFooter(shape)) return undefined
  const box = boxOf(deck, shape)
  if (!box) return undefined
  if (shape.node.name !== 'p:sp') {
    const isBackground = area(box) > BACKGROUND * area({ ...box, ...deck.size })
    return isBackground ? undefined : box
  }
  const lines = shape.body?.children.filter(({ name }) => name === 'a:p') ?? []
  if (!lines.some(line => shownText(page.tree, line).trim() !== '')) return undefined
  const fit = isTitle(shape) ? undefined : fitOf(deck, shape)
  return fit ? { ...box, height: Math.min(box.height, fit.needed * EMU + INSETS) } : box
}

function area({ width, height }: ShapeBox): number {
  return width * height
}

function smaller(a: ShapeBox, b: ShapeBox): number {
  return Math.min(area(a), area(b))
}

function sharedArea(a: ShapeBox, b: ShapeBox): number {
  const wide = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)
  const high = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top)
  return wide > 0 && high > 0 ? wide * high : 0
}
