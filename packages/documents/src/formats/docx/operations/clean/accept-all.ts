import type { DocumentEditor } from '../../edit/editor.ts'
import { revisionsOf } from '../../view/revisions.ts'
import { settleAll } from '../revisions/settle-all.ts'
import { type CleanedKind, countedWith } from './removed.ts'

/** Accepts every tracked change: the text stays as it reads, its history goes. */
export function acceptAll(editor: DocumentEditor): CleanedKind {
  const byAuthor = new Map<string, number>()
  let count = 0
  for (const story of editor.manuscript.stories) {
    const all = revisionsOf(story)
    for (const { author } of all) byAuthor.set(author, (byAuthor.get(author) ?? 0) + 1)
    count += all.length
    const marks = all.map(({ node }) => node)
    settleAll(editor, story, marks, 'accept')
  }
  return {
    what: 'tracked changes (accepted)',
    count,
    items: [...byAuthor].map(([author, own]) => countedWith(own, 'change', author)),
    names: [...byAuthor.keys()],
  }
}
