import { at, type LiveTree } from '../../../opc/index.ts'
import type { Deck } from './deck.ts'
import type { Shape } from './page.ts'
import { bodyText } from './text.ts'

/** The texts of a SmartArt graphic, in the order of its data. */
export function diagramTexts(deck: Deck, { kind, node, page }: Shape): readonly string[] {
  if (kind !== 'diagram') return []
  const ids = at(node, 'a:graphic', 'a:graphicData', 'dgm:relIds')
  const tree = deck.package.findTree(
    deck.package.targetOf(page.part, page.tree.attribute(ids, 'r:dm')),
  )
  return tree ? textsOf(tree) : []
}

function textsOf(tree: LiveTree): readonly string[] {
  const points = tree.root.child('dgm:ptLst')?.children ?? []
  return points.flatMap(point => {
    const body = point.child('dgm:t')
    const text = body ? bodyText(tree, body).trim() : ''
    return text === '' ? [] : [text]
  })
}
