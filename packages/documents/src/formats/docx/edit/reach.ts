import { type LiveNode, OpcPackage } from '../../../opc/index.ts'
import type { DocumentPackage } from '../parts/document-package.ts'
import type { Manuscript } from '../story/manuscript.ts'
import type { DocumentEditor } from './editor.ts'

const MAX_PART = 5_000_000 // bytes of a part that is looked through
const MAX_PARTS = 200
const MAX_WORDS = 50

/** Where words still stand that an operation on text does not change, and how often. */
export interface WordReach {
  readonly where: string
  readonly count: number
}

/** Warns where the words still stand, out of sight of a reader of the text. */
export function warnOfReach(editor: DocumentEditor, words: readonly string[]): void {
  // what a tracked edit replaced stands in its own deletion
  const found = reachOf(editor.manuscript, words).filter(
    ({ where }) => !editor.tracking || where !== 'deleted text',
  )
  if (found.length === 0) return
  const named = words.slice(0, 5).map(word => JSON.stringify(word.slice(0, 60)))
  editor.warn(
    `${named.join(', ')}${words.length > 5 ? ' …' : ''} still ${words.length === 1 ? 'stands' : 'stand'} in ${found
      .map(({ where, count }) => `${where} (${count})`)
      .join(', ')}; this operation does not change ${found.length === 1 ? 'that' : 'those'}.`,
  )
}

export function reachOf(manuscript: Manuscript, words: readonly string[]): readonly WordReach[] {
  const wanted = words.filter(word => word.trim().length > 1).slice(0, MAX_WORDS)
  if (wanted.length === 0) return []
  const counts = new Map<string, number>()
  const look = (where: string, text: string) => {
    const count = wanted.reduce((sum, word) => sum + occurrences(text, word), 0)
    if (count > 0) counts.set(where, (counts.get(where) ?? 0) + count)
  }
  for (const story of manuscript.stories) {
    lookInStory(story.root, (name, node) => {
      if (name === 'w:delText') look('deleted text', story.tree.textOf(node))
      else if (name === 'w:instrText' || name === 'w:delInstrText')
        look('field codes', story.tree.textOf(node))
      else if (name === 'w:fldSimple')
        look('field codes', story.tree.attribute(node, 'w:instr') ?? '')
      else
        for (const attribute of ['descr', 'title', 'alt'])
          look('alt text', story.tree.attribute(node, attribute) ?? '')
    })
    for (const { target, isExternal } of manuscript.package.links(story.part))
      if (isExternal) look('link targets', target)
  }
  const comments = manuscript.story('comments')
  for (const paragraph of comments?.paragraphs ?? [])
    look(
      'comments',
      [...paragraph.node.all('w:t')].map(node => comments!.tree.textOf(node)).join(''),
    )
  lookInParts(manuscript.package, look)
  return [...counts].map(([where, count]) => ({ where, count }))
}

const LOOKED: ReadonlySet<string> = new Set([
  'w:delText',
  'w:instrText',
  'w:delInstrText',
  'w:fldSimple',
  'wp:docPr',
  'v:shape',
])

function lookInStory(node: LiveNode, see: (name: string, node: LiveNode) => void): void {
  for (const child of node.children) {
    if (LOOKED.has(child.name)) see(child.name, child)
    if (child.children.length > 0) lookInStory(child, see)
  }
}

/** Properties and data of the document, and workbooks in it. */
function lookInParts(own: DocumentPackage, look: (where: string, text: string) => void): void {
  const names = own.opc.names.filter(name => /^(docProps|customXml)\/[^/]+\.xml$/i.test(name))
  for (const name of names.slice(0, MAX_PARTS)) {
    if (own.opc.sizeOf(name) > MAX_PART) continue
    const tree = own.findTree(name)
    if (!tree) continue
    const where = name.startsWith('docProps') ? 'document properties' : 'custom XML'
    const bytes = tree.isChanged ? tree.bytes() : tree.base
    look(where, plainXml(bytes))
  }
  const embedded = own.opc.names.filter(name => /\/embeddings\/[^/]+\.xls[xm]$/i.test(name))
  for (const name of embedded.slice(0, MAX_PARTS)) look('embedded workbooks', textsOf(own, name))
}

/** The texts of an embedded workbook; '' for one that is too large or cannot be read. */
function textsOf(own: DocumentPackage, name: string): string {
  const bytes = own.opc.sizeOf(name) > MAX_PART ? undefined : own.bytesOf(name)
  const opened = bytes?.ok ? OpcPackage.open(bytes.value) : undefined
  if (!opened?.ok) return ''
  const texts = 'xl/sharedStrings.xml'
  if (!opened.value.has(texts) || opened.value.sizeOf(texts) > MAX_PART) return ''
  const part = opened.value.part(texts)
  return part.ok ? plainXml(part.value) : ''
}

/** Text and the values of attributes, without the names around them; words with markup inside are not put together. */
function plainXml(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replace(TAG, valuesOf)
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!)
}

const TAG = /<(?:"[^"]*"|'[^']*'|[^"'<>])*>/g

function valuesOf(tag: string): string {
  const attributes = [...tag.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)]
  const values = attributes.flatMap(([, name, value]) => (/^xmlns\b/.test(name!) ? [] : [value]))
  return ` ${values.join(' ')} `
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function occurrences(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) count++
  return count
}
