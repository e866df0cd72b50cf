import { counted } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { DeckPackage } from '../../parts/deck-package.ts'
import { Deck, type Layout, type Slide } from '../../slide/deck.ts'
import { boxOf } from '../../slide/inherit.ts'
import type { ShapeBox } from '../../slide/page.ts'
import { titleOf } from '../../slide/titles.ts'
import { PartCarrier } from '../../write/part-carrier.ts'
import { type Scale, scaleBetween, scalePage } from '../../write/scale-page.ts'
import { enterSlide } from '../../write/slide-list.ts'
import { carryTableStyles } from '../../write/table-styles.ts'
import { takePlaces } from './apply-layout.ts'
import { renewCreationId } from './creation-id.ts'
import { bringDesigns } from './import-designs.ts'
import { designReads, layoutByRef, likeLayout, toLayoutRef } from './layouts.ts'
import { anchorFor } from './positions.ts'

const MOST_SLIDES = 500

/** What all slides of one import share. */
interface Import {
  readonly editor: DeckEditor
  readonly source: Deck
  readonly from: string
  readonly design: 'target' | 'source'
  readonly scale: Scale | undefined
  readonly carrier: PartCarrier
}

/** Copies slides of another deck, each a change of its own, with everything that they own. */
export function importSlides(editor: DeckEditor, args: DeckArgs<'import_slides'>) {
  const { deck } = editor
  const own = importOf(editor, args)
  const chosen = chosenSlides(own.source, args.slides)
  const ids = chosen.map(() => editor.newId())
  const after = anchorFor(editor, args.at, () => deck.slides.at(-1))
  const layoutFor =
    own.design === 'source' ? ownLayouts(own, chosen) : likeLayouts(own, chosen, after)
  let last = after
  for (const [number, slide] of chosen.entries())
    last = importOne(own, slide, { id: ids[number]!, last, after, layoutFor }) ?? last
  warnOf(own)
  const made = ids.flatMap(id => deck.slide(id) ?? [])
  return {
    op: 'import_slides',
    message: `Imported ${counted(made.length, 'slide')} from ${own.from}${made[0] ? ` as slide ${made[0].index}${made.length > 1 ? ` to ${made.at(-1)!.index}` : ''}` : ''}, in the design of ${own.design === 'source' ? 'that deck' : 'this deck'}.`,
    slides: made.map(({ index, key, page }) => ({
      index,
      id: key,
      layout: deck.layoutOf(page)?.name ?? '',
    })),
  }
}

function importOf(editor: DeckEditor, { from, design }: DeckArgs<'import_slides'>): Import {
  const bytes = editor.input(from)
  if (!bytes) throw wrongArgument('import_slides needs from: the path of another deck')
  const opened = DeckPackage.open(bytes)
  if (!opened.ok)
    throw new Refusal(
      'UNREADABLE_FORMAT',
      `"${from}" is no deck to import from: ${opened.failure.message}`,
    )
  const source = new Deck(opened.value)
  if (source.package.isStrict !== editor.deck.package.isStrict)
    throw new Refusal(
      'CONFLICT',
      `"${from}" and this deck are in two kinds of Open XML, one of them strict; write both in the same kind`,
    )
  const carrier = new PartCarrier(editor.deck, source)
  return { editor, source, from, design, scale: scaleBetween(source, editor.deck), carrier }
}

/** Indexes from 0, `"2-4, 7"`, or all. */
function chosenSlides({ slides }: Deck, wanted: ChosenSlides): readonly Slide[] {
  const numbers = wanted === undefined ? slides.map(own => own.index) : listed(wanted)
  const chosen = numbers.map(index => {
    const slide = slides[index]
    if (slide) return slide
    throw new Refusal(
      'NO_SUCH_REGION',
      slides.length === 0
        ? 'the other deck has no slides'
        : `the other deck has no slide ${index}; its last slide is ${slides.length - 1}, counted from 0`,
    )
  })
  if (chosen.length === 0) throw wrongArgument('there is no slide to import')
  if (new Set(numbers).size < numbers.length)
    throw wrongArgument('a slide is named twice in slides; import it once and duplicate it')
  if (chosen.length > MOST_SLIDES)
    throw wrongArgument(`there are ${chosen.length} slides; import ${MOST_SLIDES} at most at once`)
  return chosen
}

type ChosenSlides = DeckArgs<'import_slides'>['slides']

function listed(wanted: NonNullable<ChosenSlides>): readonly number[] {
  const parts = Array.isArray(wanted) ? wanted : String(wanted).split(',')
  return parts.flatMap(part => {
    const [, first, last] = /^\s*(\d+)\s*(?:[-–]\s*(\d+)\s*)?$/.exec(String(part)) ?? []
    const from = Number(first)
    const to = Number(last ?? first)
    if (first === undefined || to < from || to - from >= MOST_SLIDES)
      throw wrongArgument('slides is a list of indexes from 0, such as [0, 2] or "0-3, 7"')
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
}

type LayoutFor = (slide: Slide) => Layout

/** The layout of this deck for each layout of the other one. */
function likeLayouts(own: Import, chosen: readonly Slide[], after: Slide | undefined): LayoutFor {
  const { editor, source } = own
  const { deck } = editor
  const found = editor.resolve('layouts', () => {
    const refs: Record<string, ReturnType<typeof toLayoutRef>> = {}
    for (const { page } of chosen) {
      const layout = source.layoutOf(page)
      const like = layout ? likeLayout(deck, layout, after ?? deck.slides[0]) : deck.layouts[0]
      if (!like) throw new Refusal('CONFLICT', 'the deck has no layout that a slide could have')
      refs[layout?.page.part ?? ''] = toLayoutRef(deck, like)
    }
    return refs
  })
  return ({ page }) => layoutByRef(deck, found[source.layoutOf(page)?.page.part ?? '']!)
}

/** The layouts of the other deck, brought along. */
function ownLayouts(own: Import, chosen: readonly Slide[]): LayoutFor {
  const layouts = bringDesigns(own, chosen)
  return slide => {
    const layout = layouts(slide)
    if (layout) return layout
    throw new Refusal(
      'CONFLICT',
      `the design of ${own.from} was left out, so its slides cannot come`,
    )
  }
}

interface Place {
  readonly id: string
  readonly last: Slide | undefined
  readonly after: Slide | undefined
  readonly layoutFor: LayoutFor
}

function importOne(own: Import, slide: Slide, { id, last, after, layoutFor }: Place) {
  const { editor, source, from } = own
  const { deck } = editor
  const place = `new slide ${id}`
  if (!editor.accepts(place)) return undefined
  const layout = layoutFor(slide)
  const title = titleOf(slide)
  editor.change(
    {
      kind: 'slide',
      place,
      keys: [`@${id}`],
      reads: [...(after ? [`@${after.key}`] : []), ...designReads(deck, layout)],
      before: null,
      after: () => ({ text: title }),
      description: `slide ${slide.index + 1} of ${from}, layout ${layout.name}`,
      atomic: true,
    },
    () => {
      const there = source.layoutOf(slide.page)?.page.part
      if (there !== undefined) own.carrier.copies.set(there, layout.page.part)
      const part = own.carrier.carry(slide.page.part)
      if (there === undefined) deck.package.addLink(part, 'slideLayout', layout.page.part)
      enterSlide(deck, part, id, last)
      settle(own, editor.slide(`@${id}`), slide, layout)
      return true
    },
  )
  return deck.slide(id)
}

/** What came as it was there becomes a slide of this deck. */
function settle(own: Import, made: Slide, slide: Slide, layout: Layout): void {
  const { editor, source, scale } = own
  const { deck } = editor
  renewCreationId(made)
  if (scale) {
    scalePage(made.page.tree, scale)
    for (const { kind, target } of deck.package.links(made.page.part))
      if (kind === 'chart') scalePage(deck.package.findTree(target)!, scale)
  }
  carryTableStyles(deck.package, source.package, made.page.tree)
  if (own.design === 'source') return
  const boxes = new Map<string, ShapeBox | undefined>()
  for (const shape of slide.page.shapes) {
    const box = boxOf(source, shape)
    boxes.set(shape.key, box && scale ? scaled(box, scale) : box)
  }
  takePlaces(editor, made, layout, boxes)
}

function scaled({ left, top, width, height }: ShapeBox, scale: Scale): ShapeBox {
  const { factor } = scale
  return {
    left: left * factor + scale.left,
    top: top * factor + scale.top,
    width: width * factor,
    height: height * factor,
  }
}

function warnOf({ editor, carrier, scale, from, source }: Import): void {
  const lost = carrier.settleLinks()
  if (lost > 0)
    editor.warn(
      `${counted(lost, 'link')} to slides that were not imported ${lost === 1 ? 'was' : 'were'} removed.`,
    )
  const { size } = carrier.talkedAbout
  if (size > 0) editor.warn(`Comments on ${counted(size, 'slide')} of ${from} stay behind.`)
  if (scale) {
    const shown = ({ width, height }: Deck['size']) =>
      `${Math.round(width / 12_700)} × ${Math.round(height / 12_700)} points`
    editor.warn(
      `Slides of ${from} are ${shown(source.size)}, those of this deck ${shown(editor.deck.size)}: what was imported ${scale.factor === 1 ? 'keeps its size' : `is scaled to ${Math.round(scale.factor * 100)} %`}. Look at it.`,
    )
  }
}
