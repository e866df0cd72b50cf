import type { DocumentEditor } from '../../edit/editor.ts'
import { type CleanedKind, countedWith } from './removed.ts'

const NOBODY = 'Author'
const SIGNED = new Set(
  'ins del moveFrom moveTo moveFromRangeStart moveToRangeStart rPrChange pPrChange sectPrChange tblPrChange tblPrExChange trPrChange tcPrChange tblGridChange cellIns cellDel cellMerge comment'
    .split(' ')
    .map(name => `w:${name}`),
)

/** The names in tracked changes and comments that stay, and the list of people. */
export function removeAuthors({ manuscript }: DocumentEditor): CleanedKind {
  const byName = new Map<string, number>()
  const see = (name: string) => byName.set(name, (byName.get(name) ?? 0) + 1)
  for (const { tree, root } of manuscript.stories)
    for (const name of SIGNED)
      for (const node of root.all(name)) {
        const author = tree.attribute(node, 'w:author')
        if (author === undefined || author === NOBODY) continue
        see(author)
        tree.setAttribute(node, 'w:author', NOBODY)
        tree.setAttribute(node, 'w:initials', undefined)
      }
  const people = manuscript.package.linkedTree('people')
  for (const node of [...(people?.root.children ?? [])]) {
    if (node.isText) continue
    see(people!.attribute(node, 'w15:author') ?? '')
    people!.remove(node)
  }
  const count = [...byName.values()].reduce((sum, own) => sum + own, 0)
  const items = [...byName].map(([name, own]) => countedWith(own, 'mark', name))
  return { what: 'names of authors', count, items, names: [...byName.keys()] }
}
