import type { LiveTree } from '../../../opc/index.ts'
import { encodeAttribute, type LiveNode } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import type { Slide } from '../slide/deck.ts'
import { boxOf, isBody, isSamePlaceholder, isTitle } from '../slide/inherit.ts'
import type { Shape, ShapePage } from '../slide/page.ts'
import { indentedText } from '../slide/text.ts'
import { type DeckEditor, readsOf } from './editor.ts'
import { roleOf, textBoxes } from './fields.ts'
import { settleFit } from './settle-fit.ts'

/** A shape that takes text: one that is there, or a placeholder of the layout that the slide lacks. */
export interface TextTarget {
  readonly ref: string
  /** On the slide or on its layout. */
  readonly shape: Shape
  /** The id that it gets on the slide. */
  readonly newId?: string
}

/** Which placeholder an operation means: by what it is for, or by its name, type or index. */
export type PlaceholderChoice = (shape: Shape) => boolean

/** The largest placeholder that fits on the slide, else on its layout; undefined where neither has one, or has it any more. */
export function findTarget(
  editor: DeckEditor,
  slide: Slide,
  name: string,
  fits: PlaceholderChoice,
): TextTarget | undefined {
  const newId = editor.newId(slide.page)
  const ref = editor.resolve(name, () => {
    const own = largest(
      slide,
      slide.page.shapes.filter(shape => takesText(shape) && fits(shape)),
    )
    if (own) return `@${slide.key}/${own.key}`
    return fromLayout(slide, fits) ? `@${slide.key}/${newId}` : null
  })
  if (ref === null) return undefined
  const key = ref.slice(ref.lastIndexOf('/') + 1)
  const there = slide.page.shape(key)
  if (there) return { ref, shape: there }
  if (key !== newId) return editor.isPartial ? undefined : { ref, shape: editor.shape(ref) }
  const shape = fromLayout(slide, fits)
  if (!shape && editor.isPartial) return undefined
  if (!shape) throw new Refusal('CONFLICT', 'the layout of the slide has no such placeholder')
  return { ref, shape, newId }
}

function takesText({ node, group }: Shape): boolean {
  return node.name === 'p:sp' && group === undefined
}

/** A placeholder of the layout that no shape of the slide stands for yet. */
function fromLayout(slide: Slide, fits: PlaceholderChoice): Shape | undefined {
  const layout = slide.deck.layoutOf(slide.page)
  const taken = new Set(slide.page.shapes.map(({ placeholder }) => placeholder?.idx))
  return largest(
    slide,
    (layout?.page.shapes ?? []).filter(
      shape =>
        takesText(shape) &&
        shape.placeholder &&
        fits(shape) &&
        (isTitle(shape) || !taken.has(shape.placeholder.idx)),
    ),
  )
}

/** Of several that fit the first of the largest: the others are labels and captions. */
function largest({ deck }: Slide, shapes: readonly Shape[]): Shape | undefined {
  const area = (shape: Shape) => {
    const box = boxOf(deck, shape)
    return box ? box.width * box.height : 0
  }
  let found = shapes[0]
  for (const shape of shapes.slice(1)) if (area(shape) > area(found!) * 1.01) found = shape
  return found
}

export function titleTarget(editor: DeckEditor, slide: Slide): TextTarget {
  const target = findTitle(editor, slide)
  if (target) return target
  throw noPlaceholder(slide, 'title')
}

export function bodyTarget(editor: DeckEditor, slide: Slide): TextTarget {
  const target = findBody(editor, slide)
  if (target) return target
  throw noPlaceholder(slide, 'body')
}

export function findTitle(editor: DeckEditor, slide: Slide): TextTarget | undefined {
  return findTarget(editor, slide, 'title', isTitle)
}

/** The first placeholder for text beside the title: a body or content before a subtitle. */
export function findBody(editor: DeckEditor, slide: Slide): TextTarget | undefined {
  const isMain = (shape: Shape) => isBody(shape) && shape.placeholder!.type !== 'subTitle'
  return findTarget(editor, slide, 'body', isMain) ?? findTarget(editor, slide, 'subtitle', isBody)
}

/** By its type, its name or its index, on the slide or on its layout. */
export function namedTarget(editor: DeckEditor, slide: Slide, wanted: string): TextTarget {
  const fold = wanted.trim().replace(/^#/, '').toLowerCase()
  const target = findTarget(
    editor,
    slide,
    'placeholder',
    shape =>
      shape.placeholder !== undefined &&
      (roleOf(shape) === fold ||
        shape.placeholder.type.toLowerCase() === fold ||
        shape.name.trim().toLowerCase() === fold ||
        shape.key === fold ||
        shape.placeholder.idx === fold),
  )
  if (target) return target
  throw noPlaceholder(slide, wanted)
}

function noPlaceholder(slide: Slide, wanted: string): Refusal {
  const layout = slide.deck.layoutOf(slide.page)
  const boxes = textBoxes(slide)
  const offered = (page: ShapePage) =>
    page.shapes
      .flatMap(({ placeholder }) => placeholder?.type ?? [])
      .filter(type => !/^(dt|ftr|sldNum)$/.test(type))
      .join(', ')
  return new Refusal(
    'NO_SUCH_REGION',
    `slide ${slide.index} has no ${wanted} placeholder, and neither has its layout${layout ? ` ${JSON.stringify(layout.name)} (it has ${offered(layout.page) || 'none'}${filledBy(slide)})` : ''}. ${boxes === '' ? 'It has no other text; add_text_box makes one' : `Its texts are ${boxes}; set one with set_shape_text`}, or give the slide another layout with apply_layout`,
  )
}

/** A picture, table or chart that stands in a placeholder leaves no place for text there. */
function filledBy({ page }: Slide): string {
  const filled = page.shapes.filter(own => own.placeholder && own.node.name !== 'p:sp')
  if (filled.length === 0) return ''
  return `, filled with ${filled.map(({ key, name }) => `${key} (${name})`).join(', ')}`
}

/** Edits the text of a target as one change; what the slide lacks is made first. */
export function editTarget(
  editor: DeckEditor,
  slide: Slide,
  target: TextTarget,
  edit: (tree: LiveTree, body: LiveNode) => boolean,
): boolean {
  const { tree } = slide.page
  const { shape, newId, ref } = target
  const textNow = () => {
    const body = slide.page.shape(ref.slice(ref.lastIndexOf('/') + 1))?.body
    return body ? { text: indentedText(tree, body) } : null
  }
  const place = `${editor.deck.slidePlace(slide.key)} › ${shape.name.trim() || 'shape'} #${newId ?? shape.key}`
  return editor.change(
    { kind: 'text', place, keys: [ref], reads: readsOf(ref), before: textNow(), after: textNow },
    () => {
      const node = newId === undefined ? shape.node : takePlaceholder(slide, shape, newId)
      const isDone = edit(tree, ensureBody(tree, node))
      if (isDone) settleFit(editor, slide, newId ?? shape.key)
      const twin = newId === undefined ? shape.twin?.child('p:txBody') : undefined
      if (isDone && twin) edit(tree, twin)
      return isDone
    },
  )
}

/** One that came meanwhile and says nothing serves, under the id that the log knows; else a new one. */
function takePlaceholder(slide: Slide, model: Shape, id: string): LiveNode {
  const { tree, shapes } = slide.page
  const spare = shapes.find(
    own => own.placeholder && isSamePlaceholder(own, model) && takesText(own) && saysNothing(own),
  )
  const common = spare?.node.child('p:nvSpPr')?.child('p:cNvPr')
  if (!spare || !common) return placeholderFrom(slide, model, id)
  tree.setAttribute(common, 'id', id)
  return spare.node
}

function saysNothing({ page: { tree }, body }: Shape): boolean {
  return !body || indentedText(tree, body).trim() === ''
}

/** An empty placeholder on the slide that takes place and look from the layout. */
export function placeholderFrom(slide: Slide, { name, placeholder }: Shape, id: string): LiveNode {
  const { tree, shapeTree } = slide.page
  const { type, idx } = placeholder!
  const [node] = tree.fragment(
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${encodeAttribute(name)}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph${type === 'obj' ? '' : ` type="${encodeAttribute(type)}"`}${idx === '0' ? '' : ` idx="${encodeAttribute(idx)}"`}/></p:nvPr></p:nvSpPr><p:spPr/></p:sp>`,
  )
  addShape(tree, shapeTree, node!)
  return node!
}

/** In front of what must come last. */
export function addShape(tree: LiveTree, parent: LiveNode | undefined, node: LiveNode): void {
  if (!parent) throw new Refusal('CONFLICT', 'the slide has no tree of shapes')
  const end = parent.children.findIndex(({ name }) => name === 'p:extLst')
  tree.insert(parent, end < 0 ? parent.children.length : end, [node])
}

export function ensureBody(tree: LiveTree, shape: LiveNode): LiveNode {
  const known = shape.child('p:txBody')
  if (known) return known
  const [made] = tree.fragment('<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody>')
  const before = shape.child('p:style') ?? shape.child('p:spPr')
  if (before) tree.after(before, [made!])
  else tree.append(shape, [made!])
  return made!
}
