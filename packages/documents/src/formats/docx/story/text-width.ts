import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { numberOf } from '../parts/values.ts'
import type { Story } from './story.ts'

const A4 = 11_906 // twentieths of a point
const MARGIN = 1_440
const NARROWEST = 1_440

/** The width of the text where a node stands, in twentieths of a point: of its cell, or of its section's page. */
export function textWidthAt({ tree, root }: Story, node: LiveNode): number {
  const cell = node.closest('w:tc')
  const own = numberOf(tree.attribute(cell?.child('w:tcPr')?.child('w:tcW'), 'w:w'))
  const type = tree.attribute(cell?.child('w:tcPr')?.child('w:tcW'), 'w:type')
  if (cell && own !== undefined && type === 'dxa') return Math.max(NARROWEST / 2, own - 216)
  let block = node
  while (block.parent && block.parent !== root) block = block.parent
  const section = sectionAfter(root, block)
  return section ? widthOf(tree, section) : A4 - 2 * MARGIN
}

/** A section's properties stand at its end. */
function sectionAfter(root: LiveNode, block: LiveNode): LiveNode | undefined {
  const at = block.parent === root ? root.children.indexOf(block) : 0
  for (const node of root.children.slice(at)) {
    const found = node.name === 'w:sectPr' ? node : node.child('w:pPr')?.child('w:sectPr')
    if (found) return found
  }
  return undefined
}

function widthOf(tree: LiveTree, section: LiveNode): number {
  const page = numberOf(tree.attribute(section.child('w:pgSz'), 'w:w')) ?? A4
  const margins = section.child('w:pgMar')
  const left = numberOf(tree.attribute(margins, 'w:left')) ?? MARGIN
  const right = numberOf(tree.attribute(margins, 'w:right')) ?? MARGIN
  const gutter = numberOf(tree.attribute(margins, 'w:gutter')) ?? 0
  const width = page - left - right - gutter
  const columns = section.child('w:cols')
  const count = Math.max(1, numberOf(tree.attribute(columns, 'w:num')) ?? 1)
  const space = numberOf(tree.attribute(columns, 'w:space')) ?? 720
  return Math.max(NARROWEST, Math.floor((width - space * (count - 1)) / count))
}
