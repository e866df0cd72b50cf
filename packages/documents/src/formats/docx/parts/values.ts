import type { LiveNode, LiveTree } from '../../../opc/index.ts'

/** An on-off value; absent means on. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || value === '1' || value === 'true' || value === 'on'
}

/** A toggle such as `<w:b/>`: undefined where the element is not there. */
export function toggleOf(
  tree: LiveTree,
  properties: LiveNode | undefined,
  name: string,
): boolean | undefined {
  const node = properties?.child(name)
  return node ? isOn(tree.attribute(node, 'w:val')) : undefined
}

export function valOf(
  tree: LiveTree,
  properties: LiveNode | undefined,
  name: string,
): string | undefined {
  return tree.attribute(properties?.child(name), 'w:val')
}

export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number.parseInt(text, 10)
  return Number.isSafeInteger(number) ? number : undefined
}
