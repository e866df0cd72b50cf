import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { Manuscript } from '../story/manuscript.ts'
import type { Paragraph } from '../story/story.ts'

/** Marks with a partner that may be in another paragraph, by the name of the partner. */
const PAIRS: Readonly<Record<string, string>> = {
  'w:bookmarkStart': 'w:bookmarkEnd',
  'w:commentRangeStart': 'w:commentRangeEnd',
  'w:permStart': 'w:permEnd',
  'w:moveFromRangeStart': 'w:moveFromRangeEnd',
  'w:moveToRangeStart': 'w:moveToRangeEnd',
  'w:customXmlInsRangeStart': 'w:customXmlInsRangeEnd',
  'w:customXmlDelRangeStart': 'w:customXmlDelRangeEnd',
}
const ENDS = new Set(Object.values(PAIRS))

/** Why a paragraph cannot be taken out of its place; undefined if it can. */
export function findRemovalProblem(paragraph: Paragraph): string | undefined {
  const { node, story, openFields } = paragraph
  if (node.child('w:pPr')?.child('w:sectPr')) return 'it ends a section and holds its page set-up'
  let open = 0
  for (const mark of node.all('w:fldChar')) {
    const type = story.tree.attribute(mark, 'w:fldCharType')
    if (type === 'begin') open++
    if (type === 'end' && --open < 0) break
  }
  if (open !== 0) return 'a field begins or ends in it that reaches into other paragraphs'
  if (openFields.some(({ code }) => /^\s*TOC\b/i.test(code)))
    return 'it is part of the table of contents, which Word builds from the headings'
  return undefined
}

/** The only paragraph where one must stay: in a cell, a note, a header or the body. */
export function isOnly({ node }: Paragraph): boolean {
  const { parent } = node
  if (!parent) return true
  const blocks = parent.children.filter(({ name }) => name === 'w:p')
  const isLast =
    parent.children.filter(({ name }) => name === 'w:p' || name === 'w:tbl').at(-1) === node
  const needsLast = parent.name === 'w:tc' && isLast && blocks.length > 0
  if (blocks.length === 1) return true
  // a cell ends with a paragraph
  return needsLast && parent.children[node.index - 1]?.name === 'w:tbl'
}

/** Deletes a paragraph. Bookmarks and comments that reach beyond it stay; where a paragraph must be, it is emptied. */
export function removeParagraph(manuscript: Manuscript, paragraph: Paragraph): void {
  const { story, node } = paragraph
  const { tree } = story
  removeNotes(manuscript, paragraph)
  if (isOnly(paragraph)) {
    for (const child of [...node.children])
      if (child.name !== 'w:pPr' && !isMark(child.name) && !child.child('w:commentReference'))
        tree.remove(child)
    return
  }
  const marks = [...marksIn(node)]
  const comments = [...node.all('w:commentReference')].map(({ parent }) => parent!)
  const kept = [...marks, ...comments]
  giveToNeighbour(tree, node, kept)
  tree.remove(node)
}

/** Takes a paragraph out to put it elsewhere; a mark whose partner stays behind stays too. */
export function takeOut({ story, node }: Paragraph): void {
  const { tree } = story
  giveToNeighbour(tree, node, lonelyMarks(tree, node))
  tree.remove(node)
}

/** Marks of a paragraph that goes stand in the next one; one that ends in front of that stands between both. */
function giveToNeighbour(tree: LiveTree, node: LiveNode, kept: readonly LiveNode[]): void {
  const host = kept.length > 0 ? neighbourOf(node) : undefined
  if (!host) return
  for (const mark of kept) tree.remove(mark)
  const between = host.next ? node.parent!.children.slice(node.index + 1, host.node.index) : []
  const isClosed = (mark: LiveNode) =>
    between.some(
      own =>
        own.name === PAIRS[mark.name] &&
        tree.attribute(own, 'w:id') === tree.attribute(mark, 'w:id'),
    )
  tree.before(node, kept.filter(isClosed))
  const at = host.next ? (host.node.child('w:pPr') ? 1 : 0) : host.node.children.length
  tree.insert(
    host.node,
    at,
    kept.filter(mark => !isClosed(mark)),
  )
}

/** Marks in an element whose partner is outside. */
export function lonelyMarks(tree: LiveTree, node: LiveNode): readonly LiveNode[] {
  return [...marksIn(node)].filter(mark => !hasPartner(tree, node, mark))
}

function isMark(name: string): boolean {
  return name in PAIRS || ENDS.has(name)
}

export function* marksIn(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    if (isMark(child.name)) yield child
    else if (child.name !== 'w:txbxContent') yield* marksIn(child)
  }
}

function hasPartner(tree: LiveTree, around: LiveNode, mark: LiveNode): boolean {
  const id = tree.attribute(mark, 'w:id')
  const partner = PAIRS[mark.name] ?? Object.keys(PAIRS).find(name => PAIRS[name] === mark.name)
  for (const other of marksIn(around))
    if (other.name === partner && tree.attribute(other, 'w:id') === id) return true
  return false
}

/** The paragraph next to it that takes its marks. */
function neighbourOf(
  node: LiveNode,
): { readonly node: LiveNode; readonly next: boolean } | undefined {
  const siblings = node.parent?.children ?? []
  const at = node.index
  const next = siblings.slice(at + 1).find(({ name }) => name === 'w:p')
  if (next) return { node: next, next: true }
  const before = siblings.slice(0, at).findLast(({ name }) => name === 'w:p')
  return before && { node: before, next: false }
}

/** A note whose only reference goes, goes too: Office repairs a note that nothing refers to. */
export function removeNotes(
  manuscript: Manuscript,
  { story, node }: Pick<Paragraph, 'story' | 'node'>,
): void {
  for (const [reference, name] of [
    ['w:footnoteReference', 'footnotes'],
    ['w:endnoteReference', 'endnotes'],
  ] as const)
    for (const own of node.all(reference)) {
      const id = story.tree.attribute(own, 'w:id')
      const notes = manuscript.story(name)
      const note = notes?.root.children.find(each => notes.tree.attribute(each, 'w:id') === id)
      const isOnlyOne =
        [...story.root.all(reference)].filter(each => story.tree.attribute(each, 'w:id') === id)
          .length === 1
      if (notes && note && isOnlyOne) notes.tree.remove(note)
    }
}
