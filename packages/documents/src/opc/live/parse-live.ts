import {
  decodeText,
  XML_BAD,
  XML_CLOSE,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XmlReader,
} from '../xml/index.ts'
import { LiveNode, NO_CHILDREN } from './live-node.ts'
import { declarations, NamespaceScope } from './namespaces.ts'

interface Parsed {
  readonly root: LiveNode
  /** Of each element that declares namespaces. */
  readonly scopes: Map<LiveNode, NamespaceScope>
}

type Ends = { start: number; openEnd: number; closeStart: number; end: number }

/** A string describes why the part is not well-formed. */
export function parseLive(bytes: Uint8Array): Parsed | string {
  const reader = new XmlReader(bytes)
  const names = new NameTable(bytes)
  const scopes = new Map<LiveNode, NamespaceScope>()
  const open: { node: LiveNode; scope: NamespaceScope; at: number }[] = []
  let root: LiveNode | undefined
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD) return reader.problem
    if (kind === XML_END) return root ? { root, scopes } : 'it has no element'
    const around = open.at(-1)
    if (kind === XML_OPEN || kind === XML_EMPTY) {
      const declared = declarations(reader)
      const outer = around?.scope ?? NamespaceScope.EMPTY
      const scope = outer.with(declared)
      const { start, end } = reader
      const source: Ends = { start, openEnd: end, closeStart: end, end }
      const name = scope.canonical(names.at(reader.nameStart, reader.nameEnd))
      const node = new LiveNode(name, source)
      if (scope !== outer || !around) scopes.set(node, scope)
      if (around) {
        addGap(around, start)
        add(around.node, node)
        around.at = end
      }
      root ??= node
      if (kind === XML_OPEN) open.push({ node, scope, at: end })
    } else if (kind === XML_CLOSE && around) {
      addGap(around, reader.start)
      const source = around.node.source as Ends
      source.closeStart = reader.start
      source.end = reader.end
      open.pop()
      const outer = open.at(-1)
      if (outer) outer.at = reader.end
    }
  }
}

function addGap({ node, at }: { node: LiveNode; at: number }, to: number): void {
  if (at < to) add(node, new LiveNode('', { start: at, openEnd: at, closeStart: to, end: to }))
}

function add(parent: LiveNode, node: LiveNode): void {
  node.parent = parent
  if (parent.children === NO_CHILDREN) parent.children = [node]
  else parent.children.push(node)
}

/** Names of elements, each decoded once. */
class NameTable {
  readonly #bytes: Uint8Array
  readonly #known = new Map<number, { start: number; length: number; name: string }>()

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  at(start: number, end: number): string {
    const bytes = this.#bytes
    let hash = end - start
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0
    const known = this.#known.get(hash)
    if (known && known.length === end - start && this.#isSame(known.start, start, known.length))
      return known.name
    const name = decodeText(bytes, start, end)
    this.#known.set(hash, { start, length: end - start, name })
    return name
  }

  #isSame(a: number, b: number, length: number): boolean {
    for (let i = 0; i < length; i++) if (this.#bytes[a + i] !== this.#bytes[b + i]) return false
    return true
  }
}

/**
 * New nodes from XML with our prefixes. `missing` gives the namespace of a prefix that the part does not declare; the
 * outermost elements then declare it.
 */
export function parseLiveFragment(
  xml: string,
  missing: (prefix: string) => string | undefined,
): LiveNode[] {
  const wrapped = Buffer.from(`<x>${xml}</x>`)
  const reader = new XmlReader(wrapped)
  const open: LiveNode[] = []
  let at = 0
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD) throw new Error(`A new part of the document is no XML: ${reader.problem}`)
    const around = open.at(-1)
    if (around && at < reader.start) add(around, newText(wrapped, at, reader.start))
    at = reader.end
    if (kind === XML_OPEN || kind === XML_EMPTY) {
      const node = newElement(reader)
      if (around) add(around, node)
      if (kind === XML_OPEN) open.push(node)
    } else if (kind === XML_CLOSE) {
      const closed = open.pop()!
      if (open.length === 0) return declared(closed.children, missing)
    } else if (kind === XML_END) throw new Error('A new part of the document has no end')
    else if (around) add(around, newText(wrapped, reader.start, reader.end))
  }
}

function newText(bytes: Buffer, start: number, end: number): LiveNode {
  const node = new LiveNode('', undefined)
  node.raw = bytes.toString('utf8', start, end)
  return node
}

function newElement({ bytes, nameStart, nameEnd, attributes, attributeEnd }: XmlReader): LiveNode {
  const node = new LiveNode(decodeText(bytes, nameStart, nameEnd), undefined)
  const own: { name: string; value: string }[] = []
  for (let i = 0; i < attributeEnd; i += 4)
    own.push({
      name: decodeText(bytes, attributes[i]!, attributes[i + 1]!),
      value: decodeText(bytes, attributes[i + 2]!, attributes[i + 3]!),
    })
  node.attributes = own
  return node
}

function declared(nodes: LiveNode[], missing: (prefix: string) => string | undefined): LiveNode[] {
  for (const node of nodes) {
    node.parent = null
    if (node.isText) continue
    const uris = new Map<string, string>()
    collect(node, prefix => {
      const uri = missing(prefix)
      if (uri !== undefined) uris.set(prefix, uri)
    })
    if (uris.size === 0) continue
    const declarations = [...uris].map(([prefix, value]) => ({ name: `xmlns:${prefix}`, value }))
    node.attributes = [...(node.attributes ?? []), ...declarations]
  }
  return nodes
}

function collect(node: LiveNode, see: (prefix: string) => void): void {
  const note = (name: string) => {
    const colon = name.indexOf(':')
    if (colon > 0 && !name.startsWith('xml')) see(name.slice(0, colon))
  }
  note(node.name)
  for (const { name } of node.attributes ?? []) note(name)
  for (const child of node.children) if (!child.isText) collect(child, see)
}
