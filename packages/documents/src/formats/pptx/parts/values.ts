import type { LiveNode, LiveTree } from '../../../opc/index.ts'

/** English Metric Units in a point. */
export const EMU = 12_700

/** Undefined where the attribute is not there. */
export function flagAt(tree: LiveTree, node: LiveNode | undefined, name: string) {
  const value = tree.attribute(node, name)
  return value === undefined ? undefined : value === '1' || value === 'true'
}

export function toPoints(emu: number): number {
  return Math.round((emu / EMU) * 10) / 10
}
