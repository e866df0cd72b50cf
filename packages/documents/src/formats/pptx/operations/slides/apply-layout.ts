import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { slideOf } from '../../edit/fields.ts'
import { ensureBody, placeholderFrom } from '../../edit/placeholders.ts'
import { setBox } from '../../edit/shape-box.ts'
import type { Layout, Slide } from '../../slide/deck.ts'
import { boxOf, isFooter, isTitle } from '../../slide/inherit.ts'
import type { Shape, ShapeBox } from '../../slide/page.ts'
import { bodyText } from '../../slide/text.ts'
import { designReads, layoutFor } from './layouts.ts'

/** Gives a slide another layout; what it says moves to the placeholders of the same kind. */
export function applyLayout(
  editor: DeckEditor,
  { index, layout: wanted }: DeckArgs<'apply_layout'>,
) {
  const { deck } = editor
  const slide = slideOf(editor, { index })
  const layout = layoutFor(editor, wanted, slide)
  const ids = layout.page.shapes.map(() => editor.newId(slide.page))
  const side = () => ({ text: deck.layoutOf(slide.page)?.name ?? '' })
  editor.change(
    {
      kind: 'slide',
      place: `${deck.slidePlace(slide.key)} layout`,
      keys: [`@${slide.key} layout`, ...ids.map(id => `@${slide.key}/${id}`)],
      reads: [`@${slide.key}`, ...editor.textKeys(slide), ...designReads(deck, layout)],
      before: side(),
      after: side,
      atomic: true,
    },
    () => {
      if (deck.layoutOf(slide.page)?.page.part === layout.page.part) return false
      relayout(editor, slide, layout, ids)
      return true
    },
  )
  return {
    op: 'apply_layout',
    message: `Slide ${slide.index} has the layout ${layout.name}.`,
    layout: layout.name,
  }
}

function relayout(editor: DeckEditor, slide: Slide, layout: Layout, ids: readonly string[]): void {
  const { deck, page } = slide
  const boxes = new Map(page.shapes.map(shape => [shape.key, boxOf(deck, shape)]))
  const link = deck.package.links(page.part).find(({ kind }) => kind === 'slideLayout')
  if (link) deck.package.retarget(page.part, link.id, layout.page.part)
  else deck.package.addLink(page.part, 'slideLayout', layout.page.part)
  const free = takePlaces(editor, slide, layout, boxes)
  for (const [number, shape] of layout.page.shapes.entries())
    if (free.has(shape) && !isFooter(shape) && shape.node.name === 'p:sp')
      ensureBody(page.tree, placeholderFrom(slide, shape, ids[number]!))
}

/**
 * Gives each placeholder of a slide the one of its layout that is for the same; `boxes` says where those are that find
 * none. Returns the placeholders of the layout that nothing took.
 */
export function takePlaces(
  editor: DeckEditor,
  slide: Slide,
  layout: Layout,
  boxes: ReadonlyMap<string, ShapeBox | undefined>,
): ReadonlySet<Shape> {
  const { page } = slide
  const { tree } = page
  const free = new Set(layout.page.shapes.filter(({ placeholder, group }) => placeholder && !group))
  for (const shape of page.shapes) {
    if (!shape.placeholder) continue
    const match = matchFor(shape, free)
    const holder = [...shape.node.all('p:ph')][0]
    if (match && holder) {
      free.delete(match)
      const { type, idx } = match.placeholder!
      tree.setAttribute(holder, 'type', type === 'obj' ? undefined : type)
      tree.setAttribute(holder, 'idx', idx === '0' ? undefined : idx)
    } else if (isEmpty(shape)) tree.remove(shape.node)
    else {
      const box = boxes.get(shape.key)
      if (box) setBox(shape, box)
      editor.warn(
        `${shape.name} has no place in the layout ${layout.name}; it stays where it was on slide ${slide.index}.`,
      )
    }
  }
  return free
}

function isEmpty({ node, body, page }: Shape): boolean {
  return node.name === 'p:sp' && (!body || bodyText(page.tree, body).trim() === '')
}

/** By kind and index, then by kind, then any that takes text. */
function matchFor(shape: Shape, free: ReadonlySet<Shape>): Shape | undefined {
  const all = [...free]
  const { type, idx } = shape.placeholder!
  if (isTitle(shape)) return all.find(isTitle)
  if (isFooter(shape)) return all.find(own => own.placeholder!.type === type)
  const texts = /^(body|obj|subTitle)$/
  const isSame = (own: Shape) => own.placeholder!.type === type
  const isText = (own: Shape) => texts.test(own.placeholder!.type) && texts.test(type)
  return (
    all.find(own => isSame(own) && own.placeholder!.idx === idx) ??
    all.find(isSame) ??
    all.find(isText)
  )
}
