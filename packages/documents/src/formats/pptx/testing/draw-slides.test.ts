import { type DocPath, type RelativePath, toBytes, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { DrawnPart } from '../../../format.ts'
import { DeckDocument } from '../document.ts'
import { drawSlides } from '../draw-slides.ts'
import { createDeck } from '../write/create.ts'

const NAME = { docPath: 'a.pptx' as DocPath, path: 'a.pptx' as RelativePath }

function deckWithHiddenSlide(): Uint8Array {
  const bytes = unwrap(createDeck(NAME.path))
  const document = unwrap(DeckDocument.open(bytes, NAME))
  const circumstances = { time: '2026-01-01T00:00:00Z', author: 'a', seed: 1 }
  const operations = [
    { op: 'add_slide', title: 'One' },
    { op: 'add_slide', title: 'Two' },
  ]
  unwrap(
    document.apply(
      operations.map((operation, index) => ({ toolCallId: 'tc', index, operation, circumstances })),
    ),
  )
  const { tree } = document.deck.slides[0]!.page
  tree.setAttribute(tree.root, 'show', '0')
  return toBytes(unwrap(document.content()), bytes)
}

const draw = (bytes: Uint8Array, region: object): DrawnPart =>
  unwrap(drawSlides({ path: 'a.pptx', region }, [bytes]))

test('every slide has a page, hidden ones too, so that a number means the same slide', () => {
  const bytes = deckWithHiddenSlide()
  const before = unwrap(DeckDocument.open(bytes, NAME)).deck.slides
  expect(before.some(({ isHidden }) => isHidden)).toBe(true)
  const drawn = draw(bytes, { slide_index: before.length - 1 })
  expect(drawn).toMatchObject({
    pages: `${before.length}-${before.length}`,
    part: `slide_index ${before.length - 1}`,
  })
  const after = unwrap(DeckDocument.open(drawn.bytes!, NAME)).deck.slides
  expect(after.map(({ isHidden }) => isHidden)).toEqual(before.map(() => false))
})

test('slides are pages counted from 1; without a region, all of them', () => {
  const bytes = deckWithHiddenSlide()
  expect(draw(bytes, { slides: '0-1' }).pages).toBe('1-2')
  expect(draw(bytes, {})).not.toHaveProperty('pages')
})

test('a slide beyond the last is refused', () => {
  expect(
    drawSlides({ path: 'a.pptx', region: { slide_index: 9 } }, [deckWithHiddenSlide()]),
  ).toMatchObject({ failure: { code: 'NO_SUCH_REGION' } })
})
