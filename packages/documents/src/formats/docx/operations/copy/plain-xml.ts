import { type LiveNode, type LiveTree, uriOfPrefix } from '../../../../opc/index.ts'
import { isNoise } from '../../story/paragraph-key.ts'

/** An element as XML for another document, without what only its own could understand. */
export function plainXml(tree: LiveTree, node: LiveNode): string {
  return tree.xmlOf(node, name => isNoise(name) || isForeign(name))
}

/** In a namespace that this code cannot declare. */
function isForeign(name: string): boolean {
  const colon = name.indexOf(':')
  return colon > 0 && uriOfPrefix(name.slice(0, colon), false) === undefined
}
