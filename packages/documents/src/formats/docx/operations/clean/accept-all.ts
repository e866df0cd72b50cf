import type { DocumentEditor } from '../../edit/editor.ts'
import { dropEmptyMoves, settleRevision } from '../../edit/settle-revisions.ts'
import { revisionsOf } from '../../view/revisions.ts'
import { type CleanedKind, countedWith } from './removed.ts'

/** Accepts every tracked change: the text stays as it reads, its history goes. */
export function acceptAll({ manuscript }: DocumentEditor): CleanedKind {
  const byAuthor = new Map<string, number>()
  let count = 0
  for (const story of manuscript.stories) {
    const all = revisionsOf(story)
    const isMark = (own: (typeof all)[number]) => (own.node.parent?.name === 'w:rPr' ? 1 : 0)
    for (const { node, author } of [...all].reverse().sort((a, b) => isMark(a) - isMark(b))) {
      byAuthor.set(author, (byAuthor.get(author) ?? 0) + 1)
      settleRevision(story.tree, node, 'accept')
      count++
    }
    if (all.some(({ node }) => node.name.startsWith('w:move')))
      dropEmptyMoves(story.tree, story.root)
  }
  return {
    what: 'tracked changes (accepted)',
    count,
    items: [...byAuthor].map(([author, own]) => countedWith(own, 'change', author)),
    names: [...byAuthor.keys()],
  }
}
