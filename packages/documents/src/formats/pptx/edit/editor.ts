import type { ChangeSide, Fields } from '@filewright/protocol'
import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { OperationEditor, type RunningOperation } from '../../../operation-editor.ts'
import { Refusal } from '../../../refusal.ts'
import { bodiesOf, type TextBody } from '../slide/bodies.ts'
import type { Deck, Slide } from '../slide/deck.ts'
import type { Shape, ShapePage } from '../slide/page.ts'
import { newNumber, parseRef } from '../slide/refs.ts'
import { indentedText } from '../slide/text.ts'

export interface DeckEditorFields extends RunningOperation {
  readonly deck: Deck
}

/** One running operation on a deck: what it may read and change, and how to undo it. */
export class DeckEditor extends OperationEditor {
  readonly deck: Deck
  #made = 0

  constructor(fields: DeckEditorFields) {
    super(fields)
    this.deck = fields.deck
  }

  /** The id of the next slide, or shape on that page, which this operation makes; the same in every replay. */
  newId(page?: ShapePage): string {
    const { toolCallId, index } = this.origin
    const number = this.#made++
    return this.resolve(`new ${number}`, () => {
      let id = newNumber(toolCallId, index, number)
      while (this.#isUsed(String(id), page)) id++
      return String(id)
    })
  }

  #isUsed(id: string, page: ShapePage | undefined): boolean {
    return page?.shape(id) !== undefined || this.deck.slides.some(({ key }) => key === id)
  }

  /** A slide that was found before; it may be gone since. */
  slide(ref: string): Slide {
    const key = parseRef(ref)?.slide
    const slide = key === undefined ? undefined : this.deck.slide(key)
    if (!slide)
      throw new Refusal('CONFLICT', `${this.deck.spotOf(ref)} is not in the deck any more`)
    return slide
  }

  shape(ref: string): Shape {
    const parsed = parseRef(ref)
    const slide = this.slide(ref)
    const page: ShapePage | undefined = parsed?.isNotes ? this.deck.notesOf(slide) : slide.page
    const shape = parsed?.shape === undefined ? undefined : page?.shape(parsed.shape)
    if (!shape)
      throw new Refusal('CONFLICT', `${this.deck.spotOf(ref)} is not on its slide any more`)
    return shape
  }

  /** Everything on a slide that a change may have written: a copy shows it. */
  textKeys(slide: Slide): readonly string[] {
    const notes = this.deck.notesOf(slide)
    const keys = slide.page.shapes.map(({ key }) => `@${slide.key}/${key}`)
    return [
      ...bodiesOf(slide).map(({ ref }) => ref),
      ...keys.flatMap(key => [key, `${key} grid`, `${key} looks`]),
      ...(notes ? [`@${slide.key}/notes`] : []),
      ...keys.map(key => `${key} data`),
      `@${slide.key} hidden`,
      `@${slide.key} layout`,
    ]
  }

  /** Edits text as one change for review; `edit` returns false if there was nothing to do. */
  editBody(
    body: TextBody,
    edit: (tree: LiveTree, node: LiveNode) => boolean | undefined,
    more: { readonly kind?: string; readonly side?: () => ChangeSide } = {},
  ): boolean {
    const side = more.side ?? (() => ({ text: indentedText(body.tree, body.node) }))
    return this.change(
      {
        kind: more.kind ?? 'text',
        place: this.deck.placeOf(body.ref),
        keys: [body.ref],
        reads: readsOf(body.ref),
        before: side(),
        after: side,
      },
      () => {
        if (edit(body.tree, body.node) === false) return false
        const twin = body.shape.twin?.child('p:txBody')
        if (twin && !body.cell) edit(body.tree, twin)
        return true
      },
    )
  }
}

/** Whatever holds it: a cell's shape and its rows and columns, a shape's slide. */
export function readsOf(ref: string): readonly string[] {
  const parsed = parseRef(ref)
  if (!parsed) return []
  const slide = `@${parsed.slide}`
  if (parsed.isNotes) return [slide, `${slide}/notes`]
  const shape = parsed.shape === undefined ? [] : [`${slide}/${parsed.shape}`]
  return [slide, ...shape, ...shape.map(own => `${own} grid`)].filter(own => own !== ref)
}

/** An argument that is missing or wrong. */
export function wrongArgument(message: string, meant?: readonly Fields[]): Refusal {
  return new Refusal('INVALID_ARGUMENT', message, undefined, meant)
}
