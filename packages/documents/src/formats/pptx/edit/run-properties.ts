import type { LiveNode, LiveTree } from '../../../opc/index.ts'

/** Children of `a:rPr` in the order that the schema asks for. */
const ORDER = [
  'a:ln',
  'a:noFill',
  'a:solidFill',
  'a:gradFill',
  'a:blipFill',
  'a:pattFill',
  'a:grpFill',
  'a:effectLst',
  'a:effectDag',
  'a:highlight',
  'a:uLnTx',
  'a:uLn',
  'a:uFillTx',
  'a:uFill',
  'a:latin',
  'a:ea',
  'a:cs',
  'a:sym',
  'a:hlinkClick',
  'a:hlinkMouseOver',
  'a:rtl',
  'a:extLst',
]

export function ensureRunProperties(tree: LiveTree, run: LiveNode): LiveNode {
  const known = run.child('a:rPr')
  if (known) return known
  const [made] = tree.fragment('<a:rPr/>')
  tree.insert(run, 0, [made!])
  return made!
}

/** Puts a child where it belongs; others of the same name, or of `instead`, go. */
export function setRunChild(
  tree: LiveTree,
  properties: LiveNode,
  xml: string,
  instead: RegExp = /^$/,
): LiveNode {
  const [made] = tree.fragment(xml)
  for (const child of [...properties.children])
    if (child.name === made!.name || instead.test(child.name)) tree.remove(child)
  const rank = ORDER.indexOf(made!.name)
  const at = properties.children.findIndex(({ name }) => ORDER.indexOf(name) > rank)
  tree.insert(properties, at < 0 ? properties.children.length : at, [made!])
  return made!
}

export const FILLS = /^a:(noFill|solidFill|gradFill|blipFill|pattFill|grpFill)$/
