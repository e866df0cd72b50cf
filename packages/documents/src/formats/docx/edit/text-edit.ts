import { encodeText, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import type { TextEdit } from '../../../runs/align-text.ts'
import { aroundRange, neighbourSpan, prevailingSpan } from '../../../runs/spans.ts'
import type { ParagraphSpot } from '../story/index-story.ts'
import type { TextPiece } from '../story/pieces.ts'
import type { Story } from '../story/story.ts'
import { type Span, spansIn, type TextMap, textMapOf } from '../story/text-map.ts'
import { dropEmpty } from './remove-whole.ts'

/**
 * Edits the text of a paragraph in the runs it is in, last edit first. New text looks like most of the text that it
 * replaces, or like the text in front of it.
 */
export function editText(story: Story, spot: ParagraphSpot, edits: readonly TextEdit[]): void {
  const map = textMapOf(story.pieces(spot))
  const ordered = [...edits].sort((a, b) => b.start - a.start || b.end - a.end)
  const around = new Set(map.spans.flatMap(({ piece }) => piece.run?.parent ?? []))
  for (const edit of ordered) replaceRange(story.tree, spot.node, map, edit)
  for (const holder of around) dropEmpty(story.tree, holder)
}

function replaceRange(tree: LiveTree, paragraph: LiveNode, map: TextMap, edit: TextEdit): void {
  const { start, end, text } = edit
  const covered = spansIn(map, start, end).filter(({ piece }) => piece.kind !== 'token')
  const host = covered.length > 0 ? prevailing(tree, covered, edit) : neighbour(map, edit)
  if (!host) {
    if (text === '') return
    const [run] = tree.fragment(`<w:r>${textXml(text)}</w:r>`)
    const look = lookAt(tree, paragraph, map, start)
    if (look) tree.insert(run!, 0, [look])
    return putInParagraph(tree, paragraph, map, start, run!)
  }
  for (const span of [...covered].reverse()) if (span !== host) cut(tree, span, start, end, '')
  cut(tree, host, start, end, text)
}

/** The stretch whose look most of the replaced characters have. */
export function prevailing(
  tree: LiveTree,
  covered: readonly Span[],
  range: Pick<TextEdit, 'start' | 'end'>,
): Span {
  return prevailingSpan(covered, range, ({ run }) => {
    const properties = run?.child('w:rPr')
    return properties ? tree.xmlOf(properties) : ''
  })
}

/** The text in front of the place, else the text after it; never a token, a prompt or the result of a field. */
export function neighbour(
  map: TextMap,
  { start, isApart }: Pick<TextEdit, 'start' | 'isApart'>,
): Span | undefined {
  const link =
    isApart === false && neighbourSpan(map, start, piece => isHost(piece) && isInLink(piece))
  if (link) return link
  return neighbourSpan(map, start, piece => isHost(piece) && !(isApart && isInLink(piece)))
}

function isHost({ kind, isPrompt, border }: TextPiece): boolean {
  return kind === 'text' && !isPrompt && border?.kind !== 'field'
}

function isInLink({ border }: TextPiece): boolean {
  for (let at = border; at; at = at.outer) if (at.kind === 'link') return true
  return false
}

/** Replaces the characters of the range that are in this stretch; `text` goes where they were. */
function cut(tree: LiveTree, span: Span, start: number, end: number, text: string): void {
  const { piece } = span
  const own = piece.node.name === 'w:t' ? tree.textOf(piece.node) : piece.text
  const [kept, rest] = aroundRange(span, { start, end }, own)
  setPieceText(tree, piece, kept, `${text}${rest}`)
}

/** The element keeps its beginning: edits of it, further left, come later. */
function setPieceText(tree: LiveTree, piece: TextPiece, kept: string, rest: string): void {
  const { node, run } = piece
  const isPlain = node.name === 'w:t' && !SPECIAL.test(rest)
  const left = isPlain ? kept + rest : kept
  if (!isPlain && rest !== '') tree.after(node, tree.fragment(textXml(rest)))
  if (left === '') tree.remove(node)
  else if (node.name === 'w:t') setText(tree, node, left)
  if (run && isEmptyRun(run)) tree.remove(run)
}

const SPECIAL = /[\t\n\u2011\u00ad]/

function setText(tree: LiveTree, node: LiveNode, text: string): void {
  tree.setText(node, text)
  if (/^\s|\s$/.test(text)) tree.setAttribute(node, 'xml:space', 'preserve')
}

/** A run with nothing but its properties. */
export function isEmptyRun(run: LiveNode): boolean {
  return run.children.every(({ name }) => name === 'w:rPr' || name === '')
}

/** The elements of a run for text: tabs, line breaks and hyphens are elements of their own. */
export function textXml(text: string, element: 'w:t' | 'w:delText' = 'w:t'): string {
  return text
    .split(/([\t\n\u2011\u00ad])/)
    .map(part => {
      if (part === '') return ''
      if (part in ELEMENTS) return ELEMENTS[part]!
      const space = /^\s|\s$| {2}/.test(part) ? ' xml:space="preserve"' : ''
      return `<${element}${space}>${encodeText(part)}</${element}>`
    })
    .join('')
}

const ELEMENTS: Readonly<Record<string, string>> = {
  '\t': '<w:tab/>',
  '\n': '<w:br/>',
  '\u2011': '<w:noBreakHyphen/>',
  '\u00ad': '<w:softHyphen/>',
}

/** The look of new text that joins none: that of the text nearest to it, else that of the paragraph's mark. */
export function lookAt(
  tree: LiveTree,
  paragraph: LiveNode,
  { spans }: TextMap,
  at: number,
): LiveNode | undefined {
  const isPlain = ({ piece }: Span) => isHost(piece) && !isInLink(piece)
  const near =
    spans.findLast(span => span.end <= at && isPlain(span)) ??
    spans.find(span => span.start >= at && isPlain(span))
  if (!near) return markLook(tree, paragraph)
  const own = near.piece.run?.child('w:rPr')
  const look = own && tree.clone(own)
  if (look) withoutRevisions(tree, look)
  return look
}

/**
 * Puts new content where no text is that it could join: behind the token in front of the place, else before the token
 * after it, else at the end. Never inside a field, a link or a control.
 */
export function putInParagraph(
  tree: LiveTree,
  paragraph: LiveNode,
  { spans }: TextMap,
  at: number,
  made: LiveNode,
): void {
  const before = spans.findLast(({ end }) => end <= at)
  const left = before && outermost(tree, paragraph, before.piece, 'end')
  if (left?.parent === paragraph) return tree.after(left, [made])
  const after = spans.find(({ start }) => start >= at)
  const right = after && outermost(tree, paragraph, after.piece, 'begin')
  if (right?.parent === paragraph) return tree.before(right, [made])
  const last = paragraph.children.findLastIndex(({ name }) => name === 'w:r' || name === 'w:pPr')
  tree.insert(paragraph, last + 1, [made])
}

/** The child of the paragraph that a piece begins or ends with: its field, link or control, or its run. */
function outermost(
  tree: LiveTree,
  paragraph: LiveNode,
  piece: TextPiece,
  side: 'begin' | 'end',
): LiveNode {
  let node = piece.run ?? piece.node
  for (let border = piece.border; border; border = border.outer)
    node =
      side === 'end' && border.node.name === 'w:fldChar'
        ? endOfField(tree, paragraph, border.node)
        : border.node
  while (node.parent && node.parent !== paragraph) node = node.parent
  return node
}

/** The mark that ends a field, or the last child where the field goes on in other paragraphs. */
export function endOfField(tree: LiveTree, paragraph: LiveNode, begin: LiveNode): LiveNode {
  let open = 0
  let isPast = false
  for (const mark of paragraph.all('w:fldChar')) {
    isPast ||= mark === begin
    if (!isPast) continue
    const type = tree.attribute(mark, 'w:fldCharType')
    if (type === 'begin') open++
    if (type === 'end') open--
    if (open === 0) return mark
  }
  return paragraph.children.at(-1) ?? begin
}

const REVISION_MARKS: ReadonlySet<string> = new Set([
  'w:ins',
  'w:del',
  'w:moveFrom',
  'w:moveTo',
  'w:rPrChange',
])

/** The properties of the paragraph mark as those of a run. */
export function markLook(tree: LiveTree, paragraph: LiveNode): LiveNode | undefined {
  const own = paragraph.child('w:pPr')?.child('w:rPr')
  if (!own) return undefined
  const look = tree.clone(own)
  withoutRevisions(tree, look)
  return look.children.length === 0 ? undefined : look
}

/** Takes the marks of tracked changes out of copied properties. */
export function withoutRevisions(tree: LiveTree, look: LiveNode): void {
  for (const child of [...look.children]) if (REVISION_MARKS.has(child.name)) tree.remove(child)
}

/** Splits a run so that the character at the offset of its element starts a run of its own; returns that run. */
export function splitRun(tree: LiveTree, run: LiveNode, node: LiveNode, offset: number): LiveNode {
  const right = new Set<LiveNode>()
  const index = node.index
  for (const later of run.children.slice(index + 1)) right.add(later)
  const moved: LiveNode[] = []
  if (offset === 0) moved.push(node)
  else if (node.name === 'w:t' || node.name === 'w:delText') {
    const text = tree.textOf(node)
    if (offset < text.length) {
      moved.push(...tree.fragment(textXml(text.slice(offset), node.name)))
      setText(tree, node, text.slice(0, offset))
    }
  }
  for (const later of right) moved.push(later)
  const [made] = tree.fragment('<w:r/>')
  const look = run.child('w:rPr')
  for (const own of moved) if (own.parent) tree.remove(own)
  tree.append(made!, [...(look ? [tree.clone(look)] : []), ...moved])
  tree.after(run, [made!])
  return made!
}
