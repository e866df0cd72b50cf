import { unwrap } from '@filewright/protocol'
import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { DocxDocument } from '../document.ts'
import { isNoise } from '../story/paragraph-key.ts'
import { NAME } from './zoo.contract.ts'

/** Every story of a document as canonical XML: runs that look alike are joined, empty properties are none. */
export function canonical(bytes: Uint8Array): Record<string, string> {
  const { manuscript } = unwrap(DocxDocument.open(bytes, NAME))
  numberNotes(manuscript)
  return Object.fromEntries(
    manuscript.stories
      .filter(({ tree, root }) => !isEmptyNotes(tree, root))
      .map(({ name, tree, root }) => [name, canonicalOf(tree, root)]),
  )
}

/** Ids of notes only have to rise with their marks: here they count them. */
function numberNotes({ body, stories }: DocxDocument['manuscript']): void {
  for (const kind of ['footnote', 'endnote']) {
    const notes = stories.find(({ name }) => name === `${kind}s`)
    const numbers = new Map<string | undefined, string>()
    for (const mark of body.root.all(`w:${kind}Reference`)) {
      const id = body.tree.attribute(mark, 'w:id')
      if (!numbers.has(id)) numbers.set(id, `mark ${numbers.size + 1}`)
      body.tree.setAttribute(mark, 'w:id', numbers.get(id))
    }
    for (const note of notes?.root.all(`w:${kind}`) ?? []) {
      const number = numbers.get(notes!.tree.attribute(note, 'w:id'))
      if (number !== undefined) notes!.tree.setAttribute(note, 'w:id', number)
    }
  }
}

/** A part for notes that holds only their separators says nothing. */
function isEmptyNotes(tree: LiveTree, root: LiveNode): boolean {
  if (root.name !== 'w:footnotes' && root.name !== 'w:endnotes') return false
  return root.children.every(node => node.isText || tree.attribute(node, 'w:type') !== undefined)
}

function canonicalOf(tree: LiveTree, node: LiveNode): string {
  if (node.name === '' || isNoise(node.name)) return ''
  const attributes = tree
    .attributesOf(node)
    .filter(({ name }) => !isNoise(name) && !name.startsWith('xmlns') && name !== 'xml:space')
    .filter(({ name }) => name !== 'w:id' || !SPLIT.has(node.name))
    .map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`)
    .join('')
  if (TEXTS.has(node.name)) return `<${node.name}>${tree.textOf(node)}</${node.name}>`
  const inner = joined(node.children.map(child => canonicalOf(tree, child)).join(''))
  if (inner === '' && attributes === '' && EMPTY.has(node.name)) return ''
  // a control in a paragraph without content
  if (node.name === 'w:sdt' && /<w:sdtContent><\/w:sdtContent>\n$/.test(inner)) return ''
  return `<${node.name}${attributes}>${inner}</${node.name}>\n`
}

/** Somebody's changes that ours may split in two. */
const SPLIT = new Set(['w:ins', 'w:rPrChange'])
const TEXTS = new Set(['w:t', 'w:delText', 'w:instrText', 'w:delInstrText'])
const EMPTY = new Set(['w:rPr', 'w:pPr', 'w:r', 'w:trPr', 'w:tcPr'])

/** Adjacent runs with equal properties, and adjacent texts in them, are one. */
function joined(xml: string): string {
  let before = xml
  for (;;) {
    const after = before
      .replace(
        /<w:r>((?:<w:rPr>(?:(?!<\/w:rPr>)[\s\S])*<\/w:rPr>\n)?)((?:(?!<\/w:r>\n)[\s\S])*)<\/w:r>\n<w:r>\1((?!<w:rPr>)(?:(?!<\/w:r>\n)[\s\S])*)<\/w:r>\n/g,
        '<w:r>$1$2$3</w:r>\n',
      )
      // an insertion that was split around ours says the same
      .replace(/(<w:ins[^>]*>)((?:(?!<\/w:ins>\n)[\s\S])*)<\/w:ins>\n\1/g, '$1$2')
      .replaceAll('</w:t><w:t>', '')
      .replaceAll('</w:delText><w:delText>', '')
    if (after === before) return after
    before = after
  }
}
