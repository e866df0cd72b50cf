import type { Deck, Slide } from '../slide/deck.ts'
import { isSamePlaceholder } from '../slide/inherit.ts'
import type { ShapePage } from '../slide/page.ts'
import { parseRef, type Ref } from '../slide/refs.ts'
import { pageKey, shapeKey } from '../slide/shape-key.ts'
import { bodyText } from '../slide/text.ts'

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
    if (parsed.shape === undefined) return !parsed.isNotes || notesKey(before) === notesKey(after)
    const old = pageOf(before, parsed)?.shape(parsed.shape)
    const now = pageOf(after, parsed)?.shape(parsed.shape)
    // what the draft made is in neither; what somebody else made under that id is in one
    if (!old || !now) return old === now
    return shapeKey(before, old) === shapeKey(after, now)
  }

  /** Whether somebody else filled the placeholder meanwhile that the draft added to a slide. */
  isTaken(ref: string, draft: Deck): boolean {
    const parsed = parseRef(ref)
    if (parsed?.shape === undefined || parsed.isNotes) return false
    const [before, after] = [this.#old.slide(parsed.slide), this.#now.slide(parsed.slide)]
    const made = draft.slide(parsed.slide)?.page.shape(parsed.shape)
    if (!before || !after || !made?.placeholder || before.page.shape(made.key)) return false
    return after.page.shapes.some(
      own =>
        isSamePlaceholder(own, made) &&
        !before.page.shape(own.key) &&
        (!own.body || bodyText(own.page.tree, own.body).trim() !== ''),
    )
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
  return `${pageKey(slide, slide.page)}\n${notesKey(slide)}`
}

function notesKey(slide: Slide): string {
  const notes = slide.deck.notesOf(slide)
  return notes ? pageKey(slide, notes) : ''
}
