import type { LiveNode, LiveTree } from '../../../opc/index.ts'

/** Tracked changes of text: whether it is there once they are accepted, or was there before. */
export const WRAPPERS: Readonly<Record<string, 'new' | 'old'>> = {
  'w:ins': 'new',
  'w:moveTo': 'new',
  'w:del': 'old',
  'w:moveFrom': 'old',
}

/** They stand in a paragraph around its text, and mean nothing without it. */
export const HOLDERS: ReadonlySet<string> = new Set([
  'w:hyperlink',
  'w:fldSimple',
  'w:smartTag',
  'w:customXml',
  'w:dir',
  'w:bdo',
])

/** With the insertion, the link or the tag around it, where nothing else is left in that. */
export function removeWhole(tree: LiveTree, node: LiveNode): void {
  const around = node.parent!
  tree.remove(node)
  dropEmpty(tree, around)
}

/** Takes out an insertion, a link or a tag that holds nothing any more. */
export function dropEmpty(tree: LiveTree, node: LiveNode): void {
  const isWrapper = node.name in WRAPPERS || HOLDERS.has(node.name)
  const isEmpty = node.children.every(own => own.name.endsWith('Pr') || saysNothing(own))
  if (node.parent && isWrapper && isEmpty) removeWhole(tree, node)
}

/** White space, and marks of the spelling check that are left without their word. */
export function saysNothing({ name }: LiveNode): boolean {
  return name === '' || name === 'w:proofErr'
}
