import type { LiveNode, LiveTree } from '../../../../opc/index.ts'

const UNWRAPPED = new Set(['w:ins', 'w:moveTo'])
const DROPPED = new Set([
  'w:del',
  'w:moveFrom',
  'w:rPrChange',
  'w:pPrChange',
  'w:tblPrChange',
  'w:tcPrChange',
  'w:trPrChange',
  'w:tblGridChange',
  'w:sectPr',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:commentReference',
  'w:permStart',
  'w:permEnd',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
  'w:dataBinding',
  'w:cnfStyle',
])
const SAID: Readonly<Record<string, string>> = {
  'w:del': 'tracked changes were taken as accepted',
  'w:commentReference': 'comments stayed behind',
  'w:dataBinding': 'content controls lost their link to the data of that document',
}

/** A copied block as it reads: tracked changes accepted, no comments, no section. Returns what was left out. */
export function settleCopied(tree: LiveTree, node: LiveNode): readonly string[] {
  const said = new Set<string>()
  settle(tree, node, said)
  return [...said]
}

function settle(tree: LiveTree, node: LiveNode, said: Set<string>): void {
  for (const child of [...node.children]) {
    if (child.isText) continue
    const isMark = child.children.length === 0 // the mark of a paragraph or a row, not the text
    if (DROPPED.has(child.name) || (UNWRAPPED.has(child.name) && isMark)) {
      if (SAID[child.name] !== undefined) said.add(SAID[child.name]!)
      tree.remove(child)
      continue
    }
    if (UNWRAPPED.has(child.name)) {
      const inside = [...child.children]
      tree.setChildren(child, [])
      tree.before(child, inside)
      tree.remove(child)
      for (const own of inside) settle(tree, own, said)
    } else settle(tree, child, said)
  }
  if (node.name === 'w:sdtPr') {
    const id = node.child('w:id')
    if (id) tree.remove(id)
  }
}
