import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import {
  dropEmptyMoves,
  type RevisionVerdict,
  settleRevision,
} from '../../edit/settle-revisions.ts'
import type { Story } from '../../story/story.ts'
import { forgetThread, knownThreadId } from '../notes/comment-thread.ts'
import { giveMarks } from '../tables/remove-cells.ts'

/** Marks in the text of what is kept in another part. */
const ANCHORS: Readonly<Record<string, string>> = {
  'w:footnoteReference': 'footnotes',
  'w:endnoteReference': 'endnotes',
  'w:commentReference': 'comments',
}
const RANGES = ['w:commentRangeStart', 'w:commentRangeEnd']

/** Accepts or rejects tracked changes of a story. Notes and comments go with the text that held their last mark. */
export function settleAll(
  editor: DocumentEditor,
  story: Story,
  marks: readonly LiveNode[],
  verdict: RevisionVerdict,
): void {
  const anchors = marks.flatMap(mark => anchorsIn(holderOf(mark)))
  const isInMoves = marks.some(
    mark =>
      mark.name.startsWith('w:move') || mark.closest('w:moveFrom') || mark.closest('w:moveTo'),
  )
  for (const mark of inside(marks)) {
    const row = rowThatGoes(mark, verdict)
    if (row) keepMarks(story.tree, row)
    settleRevision(story.tree, mark, verdict)
  }
  if (isInMoves) dropEmptyMoves(story.tree, story.root)
  for (const anchor of new Set(anchors))
    if (!isIn(story.root, anchor)) dropUnlessHeld(editor, story, anchor)
}

function rowThatGoes(mark: LiveNode, verdict: RevisionVerdict): LiveNode | undefined {
  if (mark.parent?.name !== 'w:trPr') return undefined
  const goes = mark.name === (verdict === 'accept' ? 'w:del' : 'w:ins')
  return goes ? mark.closest('w:tr') : undefined
}

/** Bookmarks and comments of a row stay, in the paragraph beside it. */
function keepMarks(tree: LiveTree, row: LiveNode): void {
  const table = row.closest('w:tbl')
  const host = paragraphBeside(row, 'w:tr') ?? (table && paragraphBeside(table, 'w:p'))
  dropMoves(tree, row)
  if (host) giveMarks(tree, row, host)
}

/** The ends of a move that is all in the row go with it. */
function dropMoves(tree: LiveTree, row: LiveNode): void {
  for (const kind of ['w:moveTo', 'w:moveFrom'])
    for (const start of [...row.all(`${kind}RangeStart`)]) {
      const id = tree.attribute(start, 'w:id')
      const end = [...row.all(`${kind}RangeEnd`)].find(own => tree.attribute(own, 'w:id') === id)
      if (!end) continue
      tree.remove(start)
      tree.remove(end)
    }
}

/** The first paragraph of the next sibling of that name, or of the one before. */
function paragraphBeside(node: LiveNode, name: string): LiveNode | undefined {
  const siblings = node.parent?.children ?? []
  const beside = [...siblings.slice(node.index + 1), ...siblings.slice(0, node.index).reverse()]
  const found = beside.find(own => own.name === name)
  return found?.name === 'w:p' ? found : found?.all('w:p').next().value
}

/** Inner changes first, and marks of paragraphs last: they join paragraphs. */
function inside(marks: readonly LiveNode[]): readonly LiveNode[] {
  const isMark = ({ parent }: LiveNode) => (parent?.name === 'w:rPr' ? 1 : 0)
  return [...marks].reverse().sort((a, b) => isMark(a) - isMark(b))
}

/** What may go with a change: the row or cell that it marks, or what it holds. */
function holderOf(mark: LiveNode): LiveNode {
  if (mark.parent?.name === 'w:trPr') return mark.closest('w:tr') ?? mark
  return mark.parent?.name === 'w:tcPr' ? (mark.closest('w:tc') ?? mark) : mark
}

function anchorsIn(node: LiveNode): LiveNode[] {
  return Object.keys(ANCHORS).flatMap(name => [...node.all(name)])
}

export function isIn(root: LiveNode, node: LiveNode): boolean {
  for (let at: LiveNode | null = node; at; at = at.parent) if (at === root) return true
  return false
}

function dropUnlessHeld(editor: DocumentEditor, story: Story, anchor: LiveNode): void {
  const id = story.tree.attribute(anchor, 'w:id')
  const isHeld = (tree: LiveTree, node: LiveNode) => tree.attribute(node, 'w:id') === id
  const { stories } = editor.manuscript
  if (stories.some(own => [...own.root.all(anchor.name)].some(node => isHeld(own.tree, node))))
    return
  const kept = editor.manuscript.story(ANCHORS[anchor.name]!)
  const node = kept?.root.children.find(own => !own.isText && isHeld(kept.tree, own))
  if (!kept || !node) return
  const thread = kept.name === 'comments' ? knownThreadId(kept, node) : undefined
  kept.tree.remove(node)
  if (thread !== undefined) forgetThread(editor, thread)
  if (kept.name !== 'comments') return
  for (const { tree, root } of stories)
    for (const name of RANGES)
      for (const mark of [...root.all(name)]) if (isHeld(tree, mark)) tree.remove(mark)
}
