import type { LiveNode } from '../../../../opc/index.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { isEmptyRun } from '../../edit/text-edit.ts'
import type { Story } from '../../story/story.ts'
import { type CleanedKind, quoted } from './removed.ts'

const MARKS = ['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference']
/** Parts that say more of comments. */
const PARTS = ['commentsExtended', 'commentsIds', 'commentsExtensible']

export function removeComments({ manuscript }: DocumentEditor): CleanedKind {
  for (const story of manuscript.stories) if (story.name !== 'comments') unmark(story)
  for (const kind of PARTS) {
    const tree = manuscript.package.linkedTree(kind)
    for (const node of [...(tree?.root.children ?? [])]) if (!node.isText) tree!.remove(node)
  }
  const comments = manuscript.story('comments')
  if (!comments) return { what: 'comments', count: 0, items: [] }
  const { tree, root } = comments
  const all = root.children.filter(({ name }) => name === 'w:comment')
  const textOf = (node: LiveNode) => [...node.all('w:t')].map(own => tree.textOf(own)).join('')
  const authorOf = (node: LiveNode) => tree.attribute(node, 'w:author') ?? ''
  const items = all.map(node => `${authorOf(node)}: ${quoted(textOf(node))}`)
  const names = [...new Set(all.map(authorOf))]
  for (const node of all) tree.remove(node)
  return { what: 'comments', count: all.length, items, names }
}

function unmark({ tree, root }: Story): void {
  for (const name of MARKS)
    for (const mark of [...root.all(name)]) {
      const run = mark.parent
      tree.remove(mark)
      if (run?.name === 'w:r' && isEmptyRun(run)) tree.remove(run)
    }
}
