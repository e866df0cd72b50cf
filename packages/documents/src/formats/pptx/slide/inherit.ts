import type { Deck } from './deck.ts'
import { ownBox, type Shape, type ShapeBox, type ShapePage } from './page.ts'

const TITLES: ReadonlySet<string> = new Set(['title', 'ctrTitle'])
/** Kinds of placeholders that take text from a person. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'ctrTitle', 'subTitle', 'body', 'obj'])
const FOOTERS: ReadonlySet<string> = new Set(['dt', 'ftr', 'sldNum', 'hdr'])

export function isTitle({ placeholder }: Pick<Shape, 'placeholder'>): boolean {
  return placeholder !== undefined && TITLES.has(placeholder.type)
}

export function isFooter({ placeholder }: Pick<Shape, 'placeholder'>): boolean {
  return placeholder !== undefined && FOOTERS.has(placeholder.type)
}

/** A placeholder for the text of a slide beside its title. */
export function isBody({ placeholder }: Pick<Shape, 'placeholder'>): boolean {
  return placeholder !== undefined && TEXTS.has(placeholder.type) && !TITLES.has(placeholder.type)
}

/** What a placeholder takes its place and look from: the one of the layout, then the one of the master. */
export function ancestorsOf(deck: Deck, shape: Shape): readonly Shape[] {
  const found: Shape[] = []
  const layout = deck.layoutOf(shape.page)
  const isOnLayout = layout === undefined
  const own = layout && findPlaceholder(layout.page, shape)
  if (own) found.push(own)
  const master = isOnLayout
    ? deck.page(deck.package.linkedFrom(shape.page.part, 'slideMaster'))
    : layout.master
  const base = master && findByType(master, own ?? shape)
  if (base) found.push(base)
  return found
}

/** By index and kind on a layout; a title by its kind alone. */
export function findPlaceholder(page: ShapePage, { placeholder }: Shape): Shape | undefined {
  if (!placeholder) return undefined
  const all = page.shapes.filter(shape => shape.placeholder)
  if (TITLES.has(placeholder.type) || FOOTERS.has(placeholder.type))
    return all.find(other => sameType(other.placeholder!.type, placeholder.type))
  return (
    all.find(other => other.placeholder!.idx === placeholder.idx && !isTitle(other)) ??
    all.find(other => sameType(other.placeholder!.type, placeholder.type))
  )
}

function findByType(page: ShapePage, { placeholder }: Shape): Shape | undefined {
  if (!placeholder) return undefined
  const type = TITLES.has(placeholder.type)
    ? 'title'
    : FOOTERS.has(placeholder.type)
      ? placeholder.type
      : 'body'
  return page.shapes.find(other => other.placeholder?.type === type)
}

/** Both for the title, or of one kind and index. */
export function isSamePlaceholder(a: Shape, b: Shape): boolean {
  if (!a.placeholder || !b.placeholder) return false
  if (isTitle(a) || isTitle(b)) return isTitle(a) && isTitle(b)
  return a.placeholder.type === b.placeholder.type && a.placeholder.idx === b.placeholder.idx
}

function sameType(a: string, b: string): boolean {
  const plain = (type: string) => (TITLES.has(type) ? 'title' : type)
  return plain(a) === plain(b)
}

/** Where a shape is: by itself, or by what it inherits from. Undefined where nothing says. */
export function boxOf(deck: Deck, shape: Shape): ShapeBox | undefined {
  const own = ownBox(shape)
  if (own || !shape.placeholder) return own
  for (const ancestor of ancestorsOf(deck, shape)) {
    const box = ownBox(ancestor)
    if (box) return box
  }
  return undefined
}
