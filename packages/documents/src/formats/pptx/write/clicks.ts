import type { DeckPackage } from '../parts/deck-package.ts'

const CLICKS = ['a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver']

/** A click that used this link opens nothing any more; returns how many there were. */
export function removeClicks(own: DeckPackage, part: string, id: string): number {
  const tree = own.findTree(part)
  let count = 0
  for (const name of CLICKS)
    for (const node of tree ? [...tree.root.all(name)] : [])
      if (tree!.attribute(node, 'r:id') === id) {
        tree!.remove(node)
        count++
      }
  own.removeLink(part, id)
  return count
}
