import { encodeText, type LiveNode, type LiveTree } from '../../../../opc/index.ts'

const UNWRAPPED = new Set(['w:smartTag', 'w:customXml', 'w:sdt', 'w:sdtContent', 'w:dir', 'w:bdo'])
const DROPPED = new Set(['w:sdtPr', 'w:sdtEndPr', 'w:smartTagPr', 'w:customXmlPr'])

/**
 * Paragraphs as runs alone: a tracked insertion can hold neither a simple field nor a link, and what stands in them
 * would stay behind when it is rejected. Both become fields of several runs.
 */
export function flattenRuns(
  tree: LiveTree,
  block: LiveNode,
  addressOf: (id: string) => string | undefined,
): void {
  const paragraphs = block.name === 'w:p' ? [block] : [...block.all('w:p')]
  for (const paragraph of paragraphs) flatten(tree, paragraph, addressOf)
}

function flatten(
  tree: LiveTree,
  node: LiveNode,
  addressOf: (id: string) => string | undefined,
): void {
  for (const child of [...node.children]) {
    if (DROPPED.has(child.name)) {
      tree.remove(child)
      continue
    }
    const code = codeOf(tree, child, addressOf)
    if (code === undefined && !UNWRAPPED.has(child.name)) continue
    flatten(tree, child, addressOf)
    const inside = [...child.children]
    tree.setChildren(child, [])
    const [begin, instruction, separate, end] = code ? tree.fragment(fieldRuns(code)) : []
    tree.before(child, code ? [begin!, instruction!, separate!, ...inside, end!] : inside)
    tree.remove(child)
  }
}

/** The field that says the same; '' for a link that leads nowhere, undefined for anything else. */
function codeOf(
  tree: LiveTree,
  node: LiveNode,
  addressOf: (id: string) => string | undefined,
): string | undefined {
  if (node.name === 'w:fldSimple') return tree.attribute(node, 'w:instr') ?? ''
  if (node.name !== 'w:hyperlink') return undefined
  const anchor = tree.attribute(node, 'w:anchor')
  const address = addressOf(tree.attribute(node, 'r:id') ?? '')
  const target = address === undefined ? '' : ` "${address.replaceAll('"', '%22')}"`
  if (address === undefined && anchor === undefined) return ''
  return ` HYPERLINK${target}${anchor === undefined ? '' : ` \\l "${anchor}"`} `
}

function fieldRuns(code: string): string {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  return `${mark('begin')}<w:r><w:instrText xml:space="preserve">${encodeText(code)}</w:instrText></w:r>${mark('separate')}${mark('end')}`
}
