import type { LiveNode, LiveTree } from '../../../opc/index.ts'

/** English Metric Units in a point. */
export const EMU = 12_700

export function numberAt(tree: LiveTree, node: LiveNode | undefined, name: string) {
  const value = Number(tree.attribute(node, name) ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

/** Undefined where the attribute is not there. */
export function flagAt(tree: LiveTree, node: LiveNode | undefined, name: string) {
  const value = tree.attribute(node, name)
  return value === undefined ? undefined : value === '1' || value === 'true'
}

/** The node at the end of a path of element names. */
export function at(node: LiveNode | undefined, ...names: readonly string[]): LiveNode | undefined {
  let found = node
  for (const name of names) found = found?.child(name)
  return found
}

export function toPoints(emu: number): number {
  return Math.round((emu / EMU) * 10) / 10
}
