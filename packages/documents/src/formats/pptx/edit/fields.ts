import { Refusal } from '../../../refusal.ts'
import { bodiesOf, notesShape, type TextBody } from '../slide/bodies.ts'
import type { Deck, Slide } from '../slide/deck.ts'
import { isTitle } from '../slide/inherit.ts'
import type { Shape } from '../slide/page.ts'
import type { DeckEditor } from './editor.ts'

interface OnSlide {
  readonly index: number
}

/** The slide that an operation names by its index from 0, now; a replay takes the same slide. */
export function slideOf(editor: DeckEditor, { index }: OnSlide): Slide {
  return editor.slide(editor.resolve('index', () => `@${slideAt(editor.deck, index).key}`))
}

export function slideAt(deck: Deck, index: number): Slide {
  const last = deck.slides.length - 1
  const slide = deck.slides[index]
  if (!slide)
    throw new Refusal(
      'NO_SUCH_REGION',
      last < 0
        ? 'the deck has no slides; add one with add_slide'
        : `there is no slide ${index}; the last slide is ${last}, counted from 0`,
    )
  return slide
}

/** A shape by its id, its name, or what a placeholder is for. */
export function findShape(slide: Slide, wanted: string | number): Shape {
  const { shapes } = slide.page
  const text = String(wanted).trim().replace(/^#/, '')
  const byKey = shapes.find(({ key }) => key === text)
  if (byKey) return byKey
  const sameId = shapes.filter(({ id }) => id === text)
  if (sameId.length > 1) throw ambiguous(slide, `the id ${text}`, sameId)
  const fold = (name: string) => name.trim().toLowerCase()
  const byName = shapes.filter(({ name }) => fold(name) === fold(text) && name !== '')
  if (byName.length > 1) throw ambiguous(slide, `the name ${JSON.stringify(text)}`, byName)
  if (byName[0]) return byName[0]
  const byRole = shapes.filter(shape => roleOf(shape) === fold(text))
  if (byRole.length > 1) throw ambiguous(slide, `the placeholder ${text}`, byRole)
  if (byRole[0]) return byRole[0]
  throw new Refusal(
    'NO_SUCH_REGION',
    `slide ${slide.index} has no shape ${JSON.stringify(wanted)}; its shapes are ${shapesOf(slide)}`,
  )
}

export function roleOf({ placeholder }: Shape): string | undefined {
  const type = placeholder?.type.toLowerCase()
  return type === 'ctrtitle' ? 'title' : type
}

function ambiguous(slide: Slide, what: string, shapes: readonly Shape[]): Refusal {
  return new Refusal(
    'CONFLICT',
    `${what} stands for ${shapes.length} shapes of slide ${slide.index}; name one by its id: ${shapes.map(shown).join(', ')}`,
  )
}

function shown({ key, name }: Shape): string {
  return `${key} (${name})`
}

export function shapesOf({ page }: Slide): string {
  const list = page.shapes.slice(0, 20).map(shown).join(', ')
  return list === '' ? 'none' : list
}

export function shapeOf(editor: DeckEditor, slide: Slide, wanted: string | number): Shape {
  const ref = editor.resolve('shape', () => `@${slide.key}/${findShape(slide, wanted).key}`)
  return editor.shape(ref)
}

/** The text of a shape, as what an operation edits. */
export function bodyOf(slide: Slide, shape: Shape): TextBody {
  const body = bodiesOf(slide).find(own => own.shape.node === shape.node && !own.cell)
  if (!body)
    throw new Refusal(
      'CONFLICT',
      `${shape.key} (${shape.name}) on slide ${slide.index} is a ${shape.kind}, which has no text of its own`,
    )
  return body
}

/** Text of a slide beside its title and notes, for messages. */
export function textBoxes(slide: Slide): string {
  const own = bodiesOf(slide).filter(
    ({ shape, cell, isNotes }) => !cell && !isNotes && !isTitle(shape),
  )
  return own.map(({ shape }) => shown(shape)).join(', ')
}

export function notesBody(slide: Slide): TextBody | undefined {
  const page = slide.deck.notesOf(slide)
  const shape = page && notesShape(page)
  return shape && bodiesOf(slide).find(own => own.isNotes && own.shape.node === shape.node)
}
