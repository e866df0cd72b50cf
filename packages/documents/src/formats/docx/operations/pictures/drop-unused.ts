import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { DocumentPackage } from '../../parts/document-package.ts'

/** The links that a drawing uses: to its pictures, and to what a click opens. */
export function linksIn(tree: LiveTree, node: LiveNode): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (own: LiveNode) => {
    if (own.isText) return
    for (const { name, value } of tree.attributesOf(own))
      if (name.startsWith('r:')) found.add(value)
    for (const child of own.children) look(child)
  }
  look(node)
  return found
}

/** Takes out links of a part that nothing there uses any more, and pictures that no part links to then. */
export function dropUnused(
  own: DocumentPackage,
  part: string,
  tree: LiveTree,
  candidates: ReadonlySet<string>,
): void {
  const used = linksIn(tree, tree.root)
  const unused = own
    .links(part)
    .filter(({ id, kind }) => kind === 'image' && candidates.has(id) && !used.has(id))
  for (const { id, target, isExternal } of unused) {
    own.removeLink(part, id)
    const isShown = own.names.some(name =>
      own.links(name).some(link => !link.isExternal && link.target === target),
    )
    if (!isExternal && !isShown && own.has(target)) own.removePart(target)
  }
}
