import { type Chart, chartIn } from '../../../charts/chart.ts'
import type { LiveNode } from '../../../opc/index.ts'
import type { DocumentPackage } from '../parts/document-package.ts'
import type { Story } from './story.ts'

/** The chart that a drawing in the text shows; undefined for a newer kind. */
export function chartOf(
  own: DocumentPackage,
  { tree, part }: Pick<Story, 'tree' | 'part'>,
  node: LiveNode,
): Chart | undefined {
  const [holder] = node.all('c:chart')
  const id = tree.attribute(holder, 'r:id')
  const link = own.links(part).find(each => each.id === id && !each.isExternal)
  return chartIn(own, link?.target)
}
