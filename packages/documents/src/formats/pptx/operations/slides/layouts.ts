import { Refusal } from '../../../../refusal.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import type { Deck, Layout, Slide } from '../../slide/deck.ts'
import { isBody, isFooter, isTitle } from '../../slide/inherit.ts'

/** The layout that an operation names; of two with one name that of the neighbour's master. */
export function layoutFor(
  editor: DeckEditor,
  wanted: string | undefined,
  neighbour: Slide | undefined,
  needs: LayoutNeeds = { title: false, body: false },
): Layout {
  const { deck } = editor
  const found = editor.resolve('layout', () =>
    toLayoutRef(
      deck,
      wanted === undefined
        ? usualLayout(deck, neighbour, needs)
        : namedLayout(deck, wanted, neighbour),
    ),
  )
  return layoutByRef(deck, found)
}

/** How a log names a layout: other programs give its part another name, and keep the id. */
export interface LayoutRef {
  readonly id: string
  readonly name: string
}

export function toLayoutRef(deck: Deck, layout: Layout): LayoutRef {
  return { id: deck.layoutId(layout), name: layout.name }
}

export function layoutByRef(deck: Deck, { id, name }: LayoutRef): Layout {
  const found = deck.layouts.find(own => own.name === name && deck.layoutId(own) === id)
  if (!found)
    throw new Refusal('CONFLICT', `the layout ${JSON.stringify(name)} is not in the deck any more`)
  return found
}

/** What a change must read that uses a layout: a draft may have brought the design. */
export function designReads(deck: Deck, { master }: Layout): readonly string[] {
  const id = deck.masterId(master)
  return id === '' ? [] : [designKeyOf(id)]
}

export function designKeyOf(masterId: string | number): string {
  return `design ${masterId}`
}

/** For a slide of another deck: by name, then by type, then the one whose placeholders are most like. */
export function likeLayout(deck: Deck, wanted: Layout, neighbour: Slide | undefined): Layout {
  const master = neighbour && deck.layoutOf(neighbour.page)?.master?.part
  const isNear = (own: Layout) => own.master?.part === master
  const all = [...deck.layouts.filter(isNear), ...deck.layouts.filter(own => !isNear(own))]
  const fold = (text: string) => text.trim().toLowerCase()
  const found =
    all.find(({ name }) => fold(name) === fold(wanted.name) && name !== '') ??
    all.find(({ type }) => type === wanted.type && !/^(cust)?$/.test(type)) ??
    all.map(own => ({ own, far: distance(own, wanted) })).sort((a, b) => a.far - b.far)[0]?.own
  if (!found) throw new Refusal('CONFLICT', 'the deck has no layout that a slide could have')
  return found
}

/** How many placeholders one of the two layouts has and the other lacks. */
function distance(a: Layout, b: Layout): number {
  const kinds = ({ page }: Layout) =>
    page.shapes.flatMap(shape =>
      !shape.placeholder || isFooter(shape)
        ? []
        : [isTitle(shape) ? 'title' : shape.placeholder.type],
    )
  const left = kinds(a)
  let far = 0
  for (const kind of kinds(b)) {
    const at = left.indexOf(kind)
    if (at < 0) far++
    else left.splice(at, 1)
  }
  return far + left.length
}

function namedLayout(deck: Deck, wanted: string, neighbour: Slide | undefined): Layout {
  const fold = (text: string) => text.trim().toLowerCase()
  const found = deck.layouts.filter(
    ({ name, type }) => fold(name) === fold(wanted) || fold(type) === fold(wanted),
  )
  const exact = found.filter(({ name }) => fold(name) === fold(wanted))
  const fits = exact.length > 0 ? exact : found
  const master = neighbour && deck.layoutOf(neighbour.page)?.master?.part
  const chosen = fits.length > 1 ? fits.filter(own => own.master?.part === master) : fits
  if (chosen[0]) return chosen[0]
  if (fits[0]) return fits[0]
  throw new Refusal(
    'NO_SUCH_REGION',
    `the deck has no layout ${JSON.stringify(wanted)}; its layouts are ${[...new Set(deck.layouts.map(({ name }) => name))].join(', ')}`,
  )
}

/**
 * That of the neighbour, unless it is a title slide or has no place for a text; else the one for title and content, else
 * another with a place for each text, of its master first.
 */
function usualLayout(deck: Deck, neighbour: Slide | undefined, needs: LayoutNeeds): Layout {
  const own = neighbour && deck.layoutOf(neighbour.page)
  const isNear = ({ master }: Layout) => !own || master?.part === own.master?.part
  const near = deck.layouts.filter(isNear)
  const usual = near.find(({ type }) => type === 'obj') ?? near.find(({ type }) => type === 'tx')
  const isOpening = /^(title|secHead)$/.test(own?.type ?? '')
  const all = [
    ...(own && !isOpening ? [own] : []),
    ...(usual ? [usual] : []),
    ...near,
    ...deck.layouts.filter(layout => !isNear(layout)),
  ]
  const found = all.find(layout => serves(layout, needs)) ?? usual ?? own ?? all[0]
  if (!found) throw new Refusal('CONFLICT', 'the deck has no layout that a slide could have')
  return found
}

/** Which texts a slide gets. */
export interface LayoutNeeds {
  readonly title: boolean
  readonly body: boolean
}

function serves({ page: { shapes } }: Layout, { title, body }: LayoutNeeds): boolean {
  return (!title || shapes.some(isTitle)) && (!body || shapes.some(isBody))
}
