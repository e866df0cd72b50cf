import { encodeText, type LiveTree } from '../../../opc/index.ts'
import { XML_DECLARATION } from '../book/new-sheet.ts'
import type { LiveBook } from './live-book.ts'

const CORE_TYPE = 'application/vnd.openxmlformats-package.core-properties+xml'
const CORE_KIND =
  'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties'
const APP_TYPE = 'application/vnd.openxmlformats-officedocument.extended-properties+xml'

/** The properties of a document that can be set, and the element that holds each. */
export const PROPERTIES: Readonly<
  Record<string, readonly [part: 'core' | 'app', element: string]>
> = {
  title: ['core', 'dc:title'],
  subject: ['core', 'dc:subject'],
  author: ['core', 'dc:creator'],
  keywords: ['core', 'cp:keywords'],
  description: ['core', 'dc:description'],
  category: ['core', 'cp:category'],
  status: ['core', 'cp:contentStatus'],
  company: ['app', 'ep:Company'],
  manager: ['app', 'ep:Manager'],
}

const KINDS = {
  core: ['core-properties', 'coreProperties'],
  app: ['extended-properties', 'extendedProperties'], // the second in strict files
} as const

function partOf(live: LiveBook, part: 'core' | 'app'): string | undefined {
  return live.package
    .links('')
    .find(({ kind }) => (KINDS[part] as readonly string[]).includes(kind))?.target
}

/** Undefined where it is not set. */
export function readProperty(live: LiveBook, name: string): string | undefined {
  const [part, element] = PROPERTIES[name]!
  const tree = live.package.findTree(partOf(live, part))
  const node = tree && nodeOf(tree, element)
  const text = node && tree.textOf(node)
  return text === undefined || text === '' ? undefined : text
}

function nodeOf(tree: LiveTree, element: string) {
  return tree.root.child(element)
}

/** An empty text takes a property away. */
export function writeProperty(live: LiveBook, name: string, value: string): void {
  const [part, element] = PROPERTIES[name]!
  const tree = ensurePart(live, part)
  const known = nodeOf(tree, element)
  if (known && value === '') tree.remove(known)
  else if (known) tree.setText(known, value)
  else if (value !== '')
    tree.append(tree.root, tree.fragment(`<${element}>${encodeText(value)}</${element}>`))
}

function ensurePart(live: LiveBook, part: 'core' | 'app'): LiveTree {
  const known = partOf(live, part)
  if (known !== undefined && live.package.has(known)) return live.tree(known)
  const name = live.package.has(`docProps/${part}.xml`)
    ? live.package.freeName(`docProps/${part}`, '.xml')
    : `docProps/${part}.xml`
  if (part === 'core') {
    live.package.addPart(
      name,
      CORE_TYPE,
      `${XML_DECLARATION}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>`,
    )
    live.package.addLink('', CORE_KIND, name)
  } else {
    const space = live.package.isStrict
      ? 'http://purl.oclc.org/ooxml/officeDocument/extendedProperties'
      : 'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties'
    live.package.addPart(name, APP_TYPE, `${XML_DECLARATION}<Properties xmlns="${space}"/>`)
    live.package.addLink(
      '',
      live.package.isStrict ? 'extendedProperties' : 'extended-properties',
      name,
    )
  }
  return live.tree(name)
}
