import { type Chart, chartIn } from '../../../charts/chart.ts'
import { at } from '../../../opc/index.ts'
import type { Deck } from './deck.ts'
import type { Shape } from './page.ts'

const NEWER = 'http://schemas.microsoft.com/office/drawing/2014/chartex'

/** The chart that a shape shows; undefined for a newer kind. */
export function chartOf(deck: Deck, { kind, node, page }: Shape): Chart | undefined {
  if (kind !== 'chart') return undefined
  const data = at(node, 'a:graphic', 'a:graphicData')
  if (page.tree.attribute(data, 'uri') === NEWER) return undefined
  const link = page.tree.attribute(data?.child('c:chart'), 'r:id')
  return chartIn(deck.package, deck.package.targetOf(page.part, link))
}
