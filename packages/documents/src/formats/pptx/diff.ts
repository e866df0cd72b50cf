import { type ChangeSide, ok, type Result } from '@filewright/protocol'
import { DiffChanges, type FileDiff } from '../../diff-changes.ts'
import type { DocumentName } from '../../format.ts'
import { DeckPackage } from './parts/deck-package.ts'
import { Deck, type Slide } from './slide/deck.ts'
import type { Shape } from './slide/page.ts'
import { shapeKey } from './slide/shape-key.ts'
import { titleOf } from './slide/titles.ts'
import { describeShape, shapeLines } from './view/show.ts'

/** How two versions of a deck differ, as a person reviews it: slide by slide and shape by shape. */
export function diffDecks(
  before: Uint8Array,
  after: Uint8Array,
  name: DocumentName,
): Result<FileDiff> {
  const old = DeckPackage.open(before)
  if (!old.ok) return old
  const now = DeckPackage.open(after)
  if (!now.ok) return now
  return ok(new Diff(new Deck(old.value), new Deck(now.value), name).run())
}

class Diff {
  readonly #old: Deck
  readonly #now: Deck
  readonly #changes: DiffChanges

  constructor(old: Deck, now: Deck, name: DocumentName) {
    this.#old = old
    this.#now = now
    this.#changes = new DiffChanges(name)
  }

  run(): FileDiff {
    for (const slide of this.#old.slides)
      if (!this.#now.slide(slide.key))
        this.#changes.add('slide', this.#old.slidePlace(slide.key), sideOf(slide), null)
    for (const slide of this.#now.slides) {
      const before = this.#old.slide(slide.key)
      if (before) this.#compare(before, slide)
      else this.#changes.add('slide', this.#now.slidePlace(slide.key), null, sideOf(slide))
    }
    this.#order()
    return this.#changes.result
  }

  /** Slides that both have, in another order. */
  #order(): void {
    const keys = (deck: Deck, other: Deck) =>
      deck.slides.filter(({ key }) => other.slide(key)).map(({ key }) => key)
    const before = keys(this.#old, this.#now)
    const after = keys(this.#now, this.#old)
    for (const [at, key] of after.entries())
      if (before[at] !== key)
        this.#changes.add(
          'slide',
          `${this.#now.slidePlace(key)} moved`,
          { text: `position ${before.indexOf(key)}` },
          { text: `position ${at}` },
        )
  }

  #compare(before: Slide, after: Slide): void {
    for (const shape of before.page.shapes)
      if (!after.page.shape(shape.key)) this.#shape(before, shape, undefined)
    for (const shape of after.page.shapes) {
      const old = before.page.shape(shape.key)
      if (!old || shapeKey(before, old) !== shapeKey(after, shape)) this.#shape(after, old, shape)
    }
    const [oldNotes, nowNotes] = [notesOf(before), notesOf(after)]
    if (oldNotes !== nowNotes)
      this.#changes.add(
        'text',
        `${this.#now.slidePlace(after.key)} › notes`,
        oldNotes === '' ? null : { text: oldNotes },
        nowNotes === '' ? null : { text: nowNotes },
      )
    if (before.isHidden !== after.isHidden) {
      const shown = ({ isHidden }: Slide) => ({ text: isHidden ? 'hidden' : 'shown' })
      this.#changes.add('slide', this.#now.slidePlace(after.key), shown(before), shown(after))
    }
  }

  #shape(slide: Slide, before: Shape | undefined, after: Shape | undefined): void {
    const deck = slide.deck
    const own = after ?? before!
    const place = deck.placeOf(`@${slide.key}/${own.key}`)
    const side = (from: Deck, shape: Shape | undefined): ChangeSide | null => {
      const at = shape && from.slide(slide.key)
      if (!shape || !at) return null
      return { text: shapeLines(at, shape).join('\n'), format: describeShape(at, shape) }
    }
    const old = side(this.#old, before)
    const now = side(this.#now, after)
    const kind = !old || !now ? 'shape' : old.text === now.text ? 'format' : 'text'
    this.#changes.add(kind, place, old, now)
  }
}

function notesOf(slide: Slide): string {
  const notes = slide.deck.notesOf(slide)
  if (!notes) return ''
  return notes.shapes
    .filter(({ body }) => body)
    .flatMap(shape => shapeLines(slide, shape))
    .join('\n')
}

function sideOf(slide: Slide): ChangeSide {
  const title = titleOf(slide)
  const lines = slide.page.shapes.flatMap(shape => shapeLines(slide, shape))
  return { text: (title === '' ? lines : [title, ...lines]).join('\n') }
}
