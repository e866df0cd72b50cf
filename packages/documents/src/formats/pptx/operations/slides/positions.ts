import { Refusal } from '../../../../refusal.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import type { Slide } from '../../slide/deck.ts'

/**
 * The slide that something comes to stand behind, for an index that it is to get; undefined: it becomes the first one.
 * Kept by id, so that a slide which is refused moves it nowhere.
 */
export function anchorFor(
  editor: DeckEditor,
  wanted: number | undefined,
  usual: () => Slide | undefined,
  without?: Slide,
): Slide | undefined {
  const ref = editor.resolve('after', () => {
    const slides = editor.deck.slides.filter(({ key }) => key !== without?.key)
    if (wanted === undefined) {
      const slide = usual()
      return slide ? `@${slide.key}` : null
    }
    if (wanted > slides.length)
      throw new Refusal(
        'NO_SUCH_REGION',
        `the index ${wanted} is behind the end; the last that the slide can get is ${slides.length}`,
      )
    const slide = slides[wanted - 1]
    return slide ? `@${slide.key}` : null
  })
  return ref === null ? undefined : editor.slide(ref)
}
