import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { refuseUnlessEditable } from '../../edit/guards.ts'
import { findRemovalProblem, marksIn, removeNotes } from '../../edit/remove-paragraph.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import type { Story, TableSpot } from '../../story/story.ts'
import { paragraphsIn, type TableGrid } from './grid.ts'

/** Why a row or a cell cannot go; undefined if it can. */
export function findProblemIn(
  editor: DocumentEditor,
  story: Story,
  node: LiveNode,
): string | undefined {
  for (const own of node.all('w:p')) {
    const paragraph = story.paragraph(story.idOf(own) ?? '')
    if (!paragraph) continue
    refuseUnlessEditable(editor, paragraph)
    const problem = findRemovalProblem(paragraph)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Removes a row or a cell. Its bookmarks and comments stay, in the paragraph that takes them. */
export function removeWithMarks(
  manuscript: Manuscript,
  { story }: TableSpot,
  node: LiveNode,
  host: LiveNode | undefined,
): void {
  const { tree } = story
  removeNotes(manuscript, { story, node })
  if (host) giveMarks(tree, node, host)
  const wrapper = node.parent!
  tree.remove(node)
  // a content control around the only row or cell holds nothing any more
  if (wrapper.name === 'w:sdtContent' && wrapper.children.every(({ name }) => name === ''))
    tree.remove(wrapper.parent!)
}

/** Moves the bookmarks and comments of a row or a cell to the paragraph that takes them. */
export function giveMarks(tree: LiveTree, node: LiveNode, host: LiveNode): void {
  const comments = [...node.all('w:commentReference')].map(({ parent }) => parent!)
  const kept = [...marksIn(node), ...comments]
  for (const mark of kept) {
    tree.remove(mark)
    // columns of a bookmark in a table
    for (const name of ['w:colFirst', 'w:colLast']) tree.setAttribute(mark, name, undefined)
  }
  tree.insert(host, host.child('w:pPr') ? 1 : 0, kept)
}

/** A paragraph beside a row: in the next one, the one before, or after the table. */
export function hostBeside(grid: TableGrid, at: number): LiveNode | undefined {
  for (const row of [at + 1, at - 1]) {
    const cell = grid.cells[row]?.[0]?.node
    const first = cell && paragraphsIn(grid, cell)[0]
    if (first) return first.node
  }
  const { node } = grid.table
  const siblings = node.parent!.children
  return (
    siblings.slice(node.index + 1).find(({ name }) => name === 'w:p') ??
    siblings.slice(0, node.index).findLast(({ name }) => name === 'w:p')
  )
}
