import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { parseForm } from '../story/parse-form.ts'
import type { Paragraph, Story } from '../story/story.ts'
import { textMapOf } from '../story/text-map.ts'
import { invalid } from './editor.ts'
import { ensureProperties, setProperty } from './properties.ts'
import { markLook, prevailing, textXml, withoutRevisions } from './text-edit.ts'

/** How a new paragraph looks: properties of the paragraph and of its text, taken from another. */
export interface ParagraphModel {
  readonly properties: LiveNode | undefined
  readonly look: LiveNode | undefined
}

const DROPPED: ReadonlySet<string> = new Set([
  'w:sectPr',
  'w:pageBreakBefore',
  'w:framePr',
  'w:pPrChange',
  'w:cnfStyle',
])

/**
 * The look of a neighbour: its paragraph properties without section, page break, frame and revision marks, and the look
 * of most of its text. After a heading: the following body paragraph, else the style that its style names as the next.
 */
export function modelFrom(
  manuscript: Manuscript,
  neighbour: Paragraph,
  side: 'after' | 'before',
): ParagraphModel {
  const { story } = neighbour
  const isHeading = story.rank(neighbour).heading !== undefined
  if (!isHeading || side === 'before') return modelOf(neighbour)
  const following = bodyAfter(neighbour)
  if (following) return modelOf(following)
  const next = manuscript.styles.byId.get(story.styleIdOf(neighbour.node) ?? '')?.next
  return { properties: next === undefined ? undefined : styled(story.tree, next), look: undefined }
}

/** The look of exactly this paragraph. */
export function modelOf(paragraph: Paragraph): ParagraphModel {
  const { tree } = paragraph.story
  const own = paragraph.node.child('w:pPr')
  let properties = own && tree.clone(own)
  for (const child of [...(properties?.children ?? [])])
    if (DROPPED.has(child.name)) tree.remove(child)
  const mark = properties?.child('w:rPr')
  if (mark) withoutRevisions(tree, mark)
  if (mark?.children.length === 0) tree.remove(mark)
  if (properties?.children.length === 0) properties = undefined
  return { properties, look: prevailingLook(paragraph) }
}

/** A paragraph in a named style, with nothing else. */
export function modelInStyle(manuscript: Manuscript, story: Story, name: string): ParagraphModel {
  const style = manuscript.styles.find(name, 'paragraph')
  if (!style)
    throw invalid(
      `there is no paragraph style ${JSON.stringify(name)}; the styles are ${manuscript.styles.names('paragraph').slice(0, 40).join(', ')}`,
    )
  return {
    properties: style.isDefault ? undefined : styled(story.tree, style.id),
    look: undefined,
  }
}

function styled(tree: LiveTree, styleId: string): LiveNode {
  const [properties] = tree.fragment('<w:pPr/>')
  const [style] = tree.fragment('<w:pStyle/>')
  tree.setAttribute(style!, 'w:val', styleId)
  tree.append(properties!, [style!])
  return properties!
}

/** The next paragraph of the same section that is no heading and stands where the heading stands. */
function bodyAfter(heading: Paragraph): Paragraph | undefined {
  const { story, cell, box } = heading
  for (const next of story.paragraphs.slice(heading.position + 1, heading.position + 200)) {
    if (story.rank(next).heading !== undefined) return undefined
    if (next.cell !== cell || next.box !== box) continue
    if (textMapOf(story.pieces(next)).text.trim() !== '' && story.rank(next).label === '')
      return next
  }
  return undefined
}

/** The look of most of the text: no link, no note mark, no revision, no prompt. */
function prevailingLook(paragraph: Paragraph): LiveNode | undefined {
  const { story, node } = paragraph
  const { tree } = story
  const map = textMapOf(story.pieces(paragraph))
  const spans = map.spans.filter(
    ({ piece }) => piece.kind === 'text' && !(piece.border || piece.isPrompt) && piece.run,
  )
  if (spans.length === 0) return markLook(tree, node)
  const { piece } = prevailing(tree, spans, { start: 0, end: map.text.length })
  const own = piece.run?.child('w:rPr')
  if (!own) return undefined
  const look = tree.clone(own)
  for (const child of [...look.children])
    if (child.name === 'w:rPrChange' || child.name === 'w:highlight') tree.remove(child)
  return look.children.length === 0 ? undefined : look
}

/** A new paragraph with text in the form that `read` gives. */
export function makeParagraph(tree: LiveTree, model: ParagraphModel, form: string): LiveNode {
  const parsed = parseForm(form)
  if (parsed.labels.length > 0)
    throw invalid(
      `a new paragraph cannot hold ⟦${parsed.labels[0]}⟧: notes, pictures and fields are inserted by their own operations`,
    )
  if (parsed.links.length > 0)
    throw invalid('a new paragraph takes no link; insert its text, then use set_hyperlink')
  refuseUnwritable(parsed.text)
  const [paragraph] = tree.fragment('<w:p/>')
  if (model.properties) tree.append(paragraph!, [tree.clone(model.properties)])
  for (const { text, looks } of stretches(parsed)) {
    const [run] = tree.fragment(`<w:r>${textXml(text)}</w:r>`)
    if (model.look) tree.insert(run!, 0, [tree.clone(model.look)])
    const marks = [looks.bold && '<w:b/>', looks.italic && '<w:i/>', looks.strike && '<w:strike/>']
    for (const mark of marks) if (mark) setProperty(tree, ensureProperties(tree, run!), mark)
    tree.append(paragraph!, [run!])
  }
  return paragraph!
}

/** A new paragraph with text in which nothing is a mark, such as the value of a cell. */
export function plainParagraph(tree: LiveTree, model: ParagraphModel, text: string): LiveNode {
  refuseUnwritable(text)
  const [paragraph] = tree.fragment('<w:p/>')
  if (model.properties) tree.append(paragraph!, [tree.clone(model.properties)])
  if (text === '') return paragraph!
  const [run] = tree.fragment(`<w:r>${textXml(text)}</w:r>`)
  if (model.look) tree.insert(run!, 0, [tree.clone(model.look)])
  tree.append(paragraph!, [run!])
  return paragraph!
}

function stretches({ text, looks }: ReturnType<typeof parseForm>) {
  const found: { text: string; looks: (typeof looks)[number] }[] = []
  for (let at = 0; at < text.length; at++) {
    const own = looks[at]!
    const last = found.at(-1)
    const isSame =
      last?.looks.bold === own.bold &&
      last.looks.italic === own.italic &&
      last.looks.strike === own.strike
    if (last && isSame) last.text += text[at]!
    else found.push({ text: text[at]!, looks: own })
  }
  return found
}

/** Characters that no XML can hold, and half characters. */
export function refuseUnwritable(text: string): void {
  const bad = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.exec(text)
  if (!bad) return
  const code = bad[0].codePointAt(0)!.toString(16).padStart(4, '0').toUpperCase()
  throw invalid(`the text contains U+${code}, which a Word document cannot hold; leave it out`)
}
