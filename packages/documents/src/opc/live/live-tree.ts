import {
  bufferOf,
  decodeText,
  encodeAttribute,
  encodeText,
  fromUtf8,
  toUtf8,
  type XmlEncoding,
} from '../xml/index.ts'
import { type LiveAttribute, LiveNode, NO_CHILDREN } from './live-node.ts'
import { type NamespaceScope, uriOfPrefix } from './namespaces.ts'
import { parseLive, parseLiveFragment } from './parse-live.ts'

/**
 * A part that is edited in place: a tree over its bytes. Every change can be undone, and `bytes` copies whatever was
 * not changed. Names carry our prefixes (`namespaces.ts`), whatever the file uses.
 */
export class LiveTree {
  readonly root: LiveNode
  readonly base: Uint8Array
  readonly isStrict: boolean
  /** Grows with every change, for whoever keeps what was derived from the tree. */
  version = 0
  /** Receives a step that undoes each change. */
  journal: (() => void)[] | undefined
  readonly #encoding: XmlEncoding
  readonly #scopes: Map<LiveNode, NamespaceScope>

  private constructor(
    base: Uint8Array,
    encoding: XmlEncoding,
    parsed: { root: LiveNode; scopes: Map<LiveNode, NamespaceScope> },
  ) {
    this.base = base
    this.#encoding = encoding
    this.root = parsed.root
    this.#scopes = parsed.scopes
    this.isStrict = [...this.scopeOf(this.root).uris.values()].some(uri =>
      uri.startsWith('http://purl.oclc.org/ooxml/'),
    )
  }

  /** A string describes why the part cannot be read. */
  static parse(bytes: Uint8Array): LiveTree | string {
    const decoded = toUtf8(bytes)
    if (!decoded) return 'it is in an unknown encoding'
    const parsed = parseLive(decoded.utf8)
    return typeof parsed === 'string'
      ? parsed
      : new LiveTree(decoded.utf8, decoded.encoding, parsed)
  }

  get isChanged(): boolean {
    return this.root.isChanged
  }

  scopeOf(node: LiveNode): NamespaceScope {
    for (let at: LiveNode | null = node; at; at = at.parent) {
      const scope = this.#scopes.get(at)
      if (scope) return scope
    }
    return this.#scopes.get(this.root)!
  }

  attributesOf(node: LiveNode): readonly LiveAttribute[] {
    if (node.attributes || !node.source) return node.attributes ?? NO_ATTRIBUTES
    const { start, openEnd } = node.source
    const tag = bufferOf(this.base).toString('utf8', start, openEnd)
    node.attributes = tag.includes('=') ? parseAttributes(tag, this.scopeOf(node)) : NO_ATTRIBUTES
    return node.attributes
  }

  attribute(node: LiveNode | undefined, name: string): string | undefined {
    if (!node) return undefined
    for (const own of this.attributesOf(node)) if (own.name === name) return own.value
    return undefined
  }

  /** The text of an element or of a text node, without the text of elements inside. */
  textOf(node: LiveNode): string {
    if (!node.isText) {
      let text = ''
      for (const child of node.children) if (child.isText) text += this.textOf(child)
      return text
    }
    if (node.raw !== undefined)
      return decodeText(Buffer.from(node.raw), 0, Buffer.byteLength(node.raw))
    return decodeText(this.base, node.source!.start, node.source!.end)
  }

  /** `value` undefined removes the attribute. */
  setAttribute(node: LiveNode, name: string, value: string | undefined): void {
    const before = this.attributesOf(node)
    if (this.attribute(node, name) === value) return
    const at = before.findIndex(own => own.name === name)
    const after = [...before]
    if (value === undefined) after.splice(at, 1)
    else after.splice(at < 0 ? after.length : at, at < 0 ? 0 : 1, { name, value })
    const wasTagChanged = node.isTagChanged
    this.#change(node, () => {
      node.attributes = before
      node.isTagChanged = wasTagChanged
    })
    node.attributes = after
    node.isTagChanged = true
  }

  /** Replaces all that an element contains with text. */
  setText(node: LiveNode, text: string): void {
    const fresh = new LiveNode('', undefined)
    fresh.raw = encodeText(text)
    this.setChildren(node, text === '' ? [] : [fresh])
  }

  setChildren(node: LiveNode, children: readonly LiveNode[]): void {
    const before = node.children
    this.#change(node, () => {
      for (const child of node.children) child.parent = null
      for (const child of before) child.parent = node
      node.children = before
    })
    for (const child of before) child.parent = null
    for (const child of children) child.parent = node
    node.children = children.length === 0 ? NO_CHILDREN : [...children]
  }

  insert(parent: LiveNode, index: number, nodes: readonly LiveNode[]): void {
    if (nodes.length === 0) return
    this.#change(parent, () => {
      const at = parent.children.indexOf(nodes[0]!)
      parent.children.splice(at, nodes.length)
      for (const node of nodes) node.parent = null
    })
    if (parent.children === NO_CHILDREN) parent.children = []
    for (const node of nodes) node.parent = parent
    parent.children.splice(index, 0, ...nodes)
  }

  append(parent: LiveNode, nodes: readonly LiveNode[]): void {
    this.insert(parent, parent.children.length, nodes)
  }

  before(node: LiveNode, nodes: readonly LiveNode[]): void {
    this.insert(node.parent!, node.index, nodes)
  }

  after(node: LiveNode, nodes: readonly LiveNode[]): void {
    this.insert(node.parent!, node.index + 1, nodes)
  }

  remove(node: LiveNode): void {
    const parent = node.parent
    if (!parent) return
    const at = node.index
    this.#change(parent, () => {
      node.parent = parent
      parent.children.splice(at, 0, node)
    })
    parent.children.splice(at, 1)
    node.parent = null
  }

  /** New elements from XML with our prefixes: `<w:r><w:t>Hello</w:t></w:r>`. Throws on XML that is not well-formed. */
  fragment(xml: string): LiveNode[] {
    const scope = this.scopeOf(this.root)
    return parseLiveFragment(xml, prefix => {
      if (scope.writtenPrefix(prefix) !== undefined) return undefined
      return uriOfPrefix(prefix, this.isStrict)
    })
  }

  /** The same again: what is in the file is copied from its bytes. */
  clone(node: LiveNode): LiveNode {
    const copy = new LiveNode(node.name, node.source)
    copy.raw = node.raw
    copy.isChanged = node.isChanged
    copy.isTagChanged = node.isTagChanged
    copy.attributes = this.attributesOf(node)
    if (node.children.length > 0)
      copy.children = node.children.map(child => {
        const own = this.clone(child)
        own.parent = copy
        return own
      })
    return copy
  }

  /** As XML with our prefixes; equal elements of two files give equal text where `skips` drops what differs. */
  xmlOf(node: LiveNode, skips?: (name: string) => boolean): string {
    if (node.isText) return encodeText(this.textOf(node))
    const attributes = this.attributesOf(node)
      .filter(({ name }) => !name.startsWith('xmlns') && !skips?.(name))
      .map(({ name, value }) => ` ${name}="${encodeAttribute(value)}"`)
      .join('')
    let inner = ''
    for (const child of node.children) if (!skips?.(child.name)) inner += this.xmlOf(child, skips)
    return inner === ''
      ? `<${node.name}${attributes}/>`
      : `<${node.name}${attributes}>${inner}</${node.name}>`
  }

  /** The part as it is now, in its own encoding. */
  bytes(): Uint8Array {
    const out = new TreeWriter(this)
    out.copy(0, this.root.source!.start)
    out.write(this.root)
    out.copy(this.root.source!.end, this.base.length)
    return fromUtf8(out.finish(), this.#encoding)
  }

  #change(node: LiveNode, undo: () => void): void {
    this.version++
    this.journal?.push(() => {
      this.version++
      undo()
    })
    for (let at: LiveNode | null = node; at && !at.isChanged; at = at.parent) at.isChanged = true
  }
}

const NO_ATTRIBUTES: readonly LiveAttribute[] = []
const ATTRIBUTE = /(\s+)([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g

function parseAttributes(tag: string, scope: NamespaceScope): readonly LiveAttribute[] {
  const found: LiveAttribute[] = []
  for (const match of tag.matchAll(ATTRIBUTE)) {
    const value = match[3]!.slice(1, -1)
    found.push({
      name: scope.canonicalAttribute(match[2]!),
      value: value.includes('&')
        ? decodeText(Buffer.from(value), 0, Buffer.byteLength(value))
        : value,
      raw: match[0],
    })
  }
  return found
}

/** Copies unchanged elements from the base and writes the others. */
class TreeWriter {
  readonly #tree: LiveTree
  readonly #pieces: Uint8Array[] = []
  #from = 0
  #to = 0
  #text = ''
  /** Our prefixes in the tag that is being written, declared nowhere around it. */
  readonly #undeclared = new Set<string>()

  constructor(tree: LiveTree) {
    this.#tree = tree
  }

  copy(start: number, end: number): void {
    if (start === end) return
    if (this.#text !== '' || start !== this.#to) this.#flush()
    if (this.#from === this.#to) this.#from = start
    this.#to = end
  }

  text(text: string): void {
    if (this.#from !== this.#to) this.#flush()
    this.#text += text
  }

  write(node: LiveNode): void {
    const { source } = node
    if (source && !node.isChanged) return this.copy(source.start, source.end)
    if (node.isText) return this.text(node.raw ?? '')
    const isEmpty = node.children.length === 0
    const wasEmpty = source !== undefined && source.openEnd === source.end
    const keepsTag = source && !node.isTagChanged && isEmpty === wasEmpty
    const name = source ? this.#nameInFile(source.start, source.openEnd) : this.#newName(node)
    if (keepsTag) this.copy(source.start, source.openEnd)
    else this.#openTag(node, name, isEmpty)
    for (const child of node.children) this.write(child)
    if (isEmpty) {
      if (keepsTag) this.copy(source.closeStart, source.end)
      return
    }
    if (source && !wasEmpty) this.copy(source.closeStart, source.end)
    else this.text(`</${name}>`)
  }

  finish(): Uint8Array {
    this.#flush()
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
  }

  #openTag(node: LiveNode, name: string, isEmpty: boolean): void {
    let tag = `<${name}`
    for (const { name: own, value, raw } of this.#tree.attributesOf(node))
      tag += raw ?? ` ${this.#attributeName(node, own)}="${encodeAttribute(value)}"`
    for (const prefix of this.#undeclared)
      tag += ` xmlns:${prefix}="${uriOfPrefix(prefix, this.#tree.isStrict)}"`
    this.#undeclared.clear()
    this.text(isEmpty ? `${tag}/>` : `${tag}>`)
  }

  #nameInFile(start: number, end: number): string {
    const tag = bufferOf(this.#tree.base).toString('utf8', start + 1, end)
    return /^[^\s/>]+/.exec(tag)![0]
  }

  #newName(node: LiveNode): string {
    return this.#written(node.name, node)
  }

  #attributeName(node: LiveNode, name: string): string {
    return name.includes(':') && !name.startsWith('xmlns') ? this.#written(name, node) : name
  }

  #written(name: string, at: LiveNode): string {
    const colon = name.indexOf(':')
    if (colon < 0) return name
    const prefix = name.slice(0, colon)
    const written = this.#tree.scopeOf(at).writtenPrefix(prefix)
    if (written === undefined) {
      if (!this.#isDeclaredAnew(prefix, at)) this.#undeclared.add(prefix)
      return name
    }
    return written === '' ? name.slice(colon + 1) : `${written}${name.slice(colon)}`
  }

  /** By an element that is not as in the file, and so outside the scopes; a prefix that nobody knows needs no care. */
  #isDeclaredAnew(prefix: string, node: LiveNode): boolean {
    if (uriOfPrefix(prefix, this.#tree.isStrict) === undefined) return true
    for (let at: LiveNode | null = node; at; at = at.parent)
      if (at.isTagChanged && this.#tree.attribute(at, `xmlns:${prefix}`) !== undefined) return true
    return false
  }

  #flush(): void {
    if (this.#from !== this.#to) this.#pieces.push(this.#tree.base.subarray(this.#from, this.#to))
    if (this.#text !== '') this.#pieces.push(Buffer.from(this.#text))
    this.#from = this.#to = 0
    this.#text = ''
  }
}
