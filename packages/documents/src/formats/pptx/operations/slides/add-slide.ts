import { encodeAttribute, encodeText } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { notesBody } from '../../edit/fields.ts'
import { linesOf, type SlideLine, setLines, type WrittenLines } from '../../edit/lines.ts'
import { bodyTarget, ensureBody, titleTarget } from '../../edit/placeholders.ts'
import { settleFit } from '../../edit/settle-fit.ts'
import type { Deck, Layout, Slide } from '../../slide/deck.ts'
import { isFooter } from '../../slide/inherit.ts'
import type { Shape } from '../../slide/page.ts'
import { bodyText } from '../../slide/text.ts'
import { DECLARATION, declared, PRESENTATION, TOP_GROUP } from '../../write/namespaces.ts'
import { addNotes } from '../../write/notes.ts'
import { enterSlide } from '../../write/slide-list.ts'
import { designReads, layoutFor } from './layouts.ts'
import { anchorFor } from './positions.ts'

/** Adds a slide from a layout of the deck, with its placeholders, and fills them. */
export function addSlide(editor: DeckEditor, args: DeckArgs<'add_slide'>) {
  const { deck } = editor
  const id = editor.newId()
  const after = anchorFor(editor, args.at, () => deck.slides.at(-1))
  const neighbour = after ?? deck.slides[0]
  const texts = textsOf(args)
  const layout = layoutFor(editor, args.layout, neighbour, {
    title: texts.title !== undefined,
    body: texts.body !== undefined,
  })
  const key = `@${id}`
  const change = {
    kind: 'slide',
    place: `new slide ${id}`,
    keys: [key],
    reads: [...(after ? [`@${after.key}`] : []), ...designReads(deck, layout)],
    before: null,
    after: () => ({ text: shownTexts(deck, id) }),
    description: after
      ? `after ${deck.slidePlace(after.key)}, layout ${layout.name}`
      : `at the start, layout ${layout.name}`,
    atomic: true,
  }
  editor.change(change, () => {
    const part = deck.package.freeName('ppt/slides/slide', '.xml')
    deck.package.addPart(part, `${PRESENTATION}.slide+xml`, slideXml(deck, layout, neighbour))
    deck.package.addLink(part, 'slideLayout', layout.page.part)
    enterSlide(deck, part, id, after)
    fill(editor, editor.slide(key), texts)
    return true
  })
  const made = deck.slide(id)
  return {
    op: 'add_slide',
    message: made
      ? `Added slide ${made.index} with the layout ${layout.name}.`
      : 'The slide was left out.',
    ...(made && { index: made.index }),
    id,
    layout: layout.name,
  }
}

interface SlideTexts {
  readonly title: readonly SlideLine[] | undefined
  readonly body: readonly SlideLine[] | undefined
  readonly notes: readonly SlideLine[] | undefined
}

function textsOf({ title, body, notes }: DeckArgs<'add_slide'>): SlideTexts {
  const lines = (value: WrittenLines | undefined, what: string) =>
    value === undefined ? undefined : linesOf(value, what)
  return { title: lines(title, 'title'), body: lines(body, 'body'), notes: lines(notes, 'notes') }
}

/** Inside the change of the slide itself. */
function fill(editor: DeckEditor, slide: Slide, { title, body, notes }: SlideTexts): void {
  const set = (find: typeof titleTarget, lines: readonly SlideLine[]) => {
    const target = find(editor, slide)
    const { tree } = slide.page
    setLines(tree, ensureBody(tree, target.shape.node), lines)
    settleFit(editor, slide, target.shape.key)
  }
  if (title) set(titleTarget, title)
  if (body) set(bodyTarget, body)
  if (!notes) return
  addNotes(slide)
  const made = notesBody(slide)
  if (made) setLines(made.tree, made.node, notes)
}

/** The placeholders of the layout, empty; footers as the neighbour has them. */
function slideXml(deck: Deck, { page }: Layout, neighbour: Slide | undefined): string {
  const shown = neighbour?.page.shapes.filter(isFooter) ?? []
  const shapes = page.shapes.flatMap(shape => {
    if (!shape.placeholder || shape.node.name !== 'p:sp' || shape.group) return []
    if (!isFooter(shape)) return [placeholderXml(shape, '<a:p/>')]
    const model = shown.find(own => own.placeholder!.type === shape.placeholder!.type)
    return model ? [placeholderXml(shape, footerXml(model))] : []
  })
  const numbered = shapes.map((xml, index) => xml.replace('id=""', `id="${index + 2}"`))
  return `${DECLARATION}<p:sld ${declared(deck.package.isStrict, 'a', 'r', 'p')}><p:cSld><p:spTree>${TOP_GROUP}${numbered.join('')}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`
}

export function placeholderXml({ name, placeholder }: Shape, paragraphs: string): string {
  const { type, idx } = placeholder!
  return `<p:sp><p:nvSpPr><p:cNvPr id="" name="${encodeAttribute(name)}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph${type === 'obj' ? '' : ` type="${encodeAttribute(type)}"`}${idx === '0' ? '' : ` idx="${encodeAttribute(idx)}"`}/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`
}

/** The text of a footer, with its field where it has one. */
export function footerXml({ page: { tree }, body }: Shape): string {
  const field = body && [...body.all('a:fld')][0]
  const text = body ? encodeText(bodyText(tree, body)) : ''
  if (!field) return `<a:p><a:r><a:rPr/><a:t>${text}</a:t></a:r></a:p>`
  const type = tree.attribute(field, 'type') ?? 'slidenum'
  return fieldXml(type, tree.attribute(field, 'id'), text)
}

const FIELD_ID = '{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}'

export function fieldXml(type: string, id: string | undefined, text: string): string {
  return `<a:p><a:fld id="${id ?? FIELD_ID}" type="${encodeAttribute(type)}"><a:rPr/><a:t>${text}</a:t></a:fld></a:p>`
}

function shownTexts(deck: Deck, key: string): string {
  const slide = deck.slide(key)
  if (!slide) return ''
  return slide.page.shapes
    .flatMap(({ body, page }) => (body ? [bodyText(page.tree, body)] : []))
    .filter(text => text !== '')
    .join('\n')
}
