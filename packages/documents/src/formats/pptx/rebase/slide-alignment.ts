import type { Deck, Slide } from '../slide/deck.ts'
import type { ShapePage } from '../slide/page.ts'
import { parseRef, type Ref } from '../slide/refs.ts'
import { pageKey, shapeKey } from '../slide/shape-key.ts'

/** Which slides and shapes of a deck mean the same after somebody else saved it. They keep their ids. */
export class SlideAlignment {
  readonly #old: Deck
  readonly #now: Deck

  constructor(old: Deck, now: Deck) {
    this.#old = old
    this.#now = now
  }

  /** Whether what the reference names is proven to be the same; true for what the draft itself made. */
  isSame(ref: string, isWhole = false): boolean {
    const parsed = parseRef(ref)
    const before = parsed && this.#old.slide(parsed.slide)
    if (!parsed || !before) return true
    const after = this.#now.slide(parsed.slide)
    if (!after) return false
    if (isWhole) return wholeKey(before) === wholeKey(after)
    if (parsed.shape === undefined) return true
    const old = pageOf(before, parsed)?.shape(parsed.shape)
    if (!old) return true
    const now = pageOf(after, parsed)?.shape(parsed.shape)
    return now !== undefined && shapeKey(before, old) === shapeKey(after, now)
  }

  /** `slide 4 …` for what was `slide 3 …`. */
  placeOf(place: string): string {
    const [, number, rest = ''] = /^slide (\d+)(.*)$/s.exec(place) ?? []
    const slide = number === undefined ? undefined : this.#old.slides[Number(number) - 1]
    return slide ? `${this.#now.slidePlace(slide.key)}${rest}` : place
  }
}

function pageOf(slide: Slide, { isNotes }: Ref): ShapePage | undefined {
  return isNotes ? slide.deck.notesOf(slide) : slide.page
}

function wholeKey(slide: Slide): string {
  const notes = slide.deck.notesOf(slide)
  return `${pageKey(slide, slide.page)}\n${notes ? pageKey(slide, notes) : ''}`
}
