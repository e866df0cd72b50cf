import type { LiveNode } from './live-node.ts'
import type { LiveTree } from './live-tree.ts'

/** The node at the end of a path of element names. */
export function at(node: LiveNode | undefined, ...names: readonly string[]): LiveNode | undefined {
  let found = node
  for (const name of names) found = found?.child(name)
  return found
}

export function numberAt(tree: LiveTree, node: LiveNode | undefined, name: string) {
  const value = Number(tree.attribute(node, name) ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
