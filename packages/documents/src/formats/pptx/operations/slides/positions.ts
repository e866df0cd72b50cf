import type { Fields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import type { Slide } from '../../slide/deck.ts'

/**
 * The slide that something comes to stand behind, for an index that it is to get; undefined: it becomes the first one.
 * Kept by id, so that a slide which is refused moves it nowhere.
 */
export function anchorFor(
  editor: DeckEditor,
  wanted: unknown,
  usual: () => Slide | undefined,
  without?: Slide,
): Slide | undefined {
  const ref = editor.resolve('after', () => {
    const slides = editor.deck.slides.filter(({ key }) => key !== without?.key)
    if (wanted === undefined || wanted === null) {
      const slide = usual()
      return slide ? `@${slide.key}` : null
    }
    if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 0)
      throw wrongArgument('a position is the index that the slide gets, from 0')
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

export function positionOf({ op }: Fields, name: string, value: unknown): unknown {
  if (value !== undefined && value !== null) return value
  throw wrongArgument(`${op} needs ${name}: the index that the slide gets, from 0`)
}
