import { type Content, ok, type Result } from '@filewright/protocol'
import { CONTENT_TYPES_NAME } from './content-types.ts'
import { type LiveRoot, LiveTree, RootFinder } from './live/index.ts'
import type { OpcPackage } from './package.ts'
import { type RawLink, readRawLinks, relationshipsName, resolveTarget } from './relationships.ts'
import { broken } from './zip.ts'

/** A link from a part to another part or to an address. */
export interface PartLink {
  readonly id: string
  /** The last word of its type: `header`, `hyperlink`, `image`. */
  readonly kind: string
  /** The name of a part, or an address. */
  readonly target: string
  readonly isExternal: boolean
}

/** The links of a part, as long as its relationships stay as they are. */
interface KnownLinks {
  /** Absent while nobody edits them. */
  readonly tree: LiveTree | undefined
  readonly version: number
  readonly links: readonly PartLink[]
  readonly byId: ReadonlyMap<string, PartLink>
}

const RELATIONSHIPS_TYPE = 'application/vnd.openxmlformats-package.relationships+xml'
const RELATIONSHIPS =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'

/**
 * The parts of a package that is edited. Every part that is looked into becomes a `LiveTree`, and edits go there; parts
 * that no operation changed keep every byte.
 */
export class LivePackage {
  readonly opc: OpcPackage
  /** The part that the package is about: the document, the presentation. */
  readonly mainName: string
  readonly isSigned: boolean
  readonly hasMacros: boolean
  readonly #trees = new Map<string, LiveTree | string>()
  /** Parts that the file does not have. */
  #added = new Map<string, LiveTree | Uint8Array>()
  /** Parts of the file that are there no more. */
  readonly #removed = new Set<string>()
  readonly #links = new Map<string, KnownLinks>()
  readonly #roots = new Map<string, LiveRoot | undefined>()
  readonly #finder = new RootFinder()
  /** Changes to which parts there are. */
  #structure = 0
  #journal: (() => void)[] | undefined

  constructor(opc: OpcPackage, mainName: string) {
    this.opc = opc
    this.mainName = mainName
    this.isSigned = opc
      .relationships('')
      .some(({ type }) => type.endsWith('/digital-signature/origin'))
    this.hasMacros = this.links(mainName).some(({ kind }) => kind === 'vbaProject')
  }

  /** The main part, once it was read. */
  get main(): LiveTree {
    return this.#trees.get(this.mainName) as LiveTree
  }

  get isStrict(): boolean {
    return this.main.isStrict
  }

  has(name: string): boolean {
    if (this.#added.has(name)) return true
    return this.opc.has(name) && !this.#removed.has(this.opc.spellingOf(name))
  }

  tree(name: string): Result<LiveTree> {
    const added = this.#added.get(name)
    if (added instanceof LiveTree) return ok(added)
    const known = this.#trees.get(name) ?? this.#parse(name)
    if (typeof known === 'string')
      return broken(`its part ${name} is not well-formed XML: ${known}`)
    return ok(known)
  }

  /** Undefined for a part that is missing or cannot be read. */
  findTree(name: string | undefined): LiveTree | undefined {
    if (name === undefined || !this.has(name)) return undefined
    const tree = this.tree(name)
    return tree.ok ? tree.value : undefined
  }

  /** The outermost element of a part, without a tree of it; undefined for a part that is missing or cannot be read. */
  rootOf(name: string | undefined): LiveRoot | undefined {
    if (name === undefined || !this.has(name)) return undefined
    const tree = this.#knownTree(name)
    if (tree) return rootIn(tree)
    const spelled = this.opc.spellingOf(name)
    if (!this.#roots.has(spelled)) {
      const part = this.opc.part(spelled)
      this.#roots.set(spelled, part.ok ? this.#finder.find(part.value) : undefined)
    }
    return this.#roots.get(spelled)
  }

  links(part: string): readonly PartLink[] {
    return this.#knownLinks(part)?.links ?? []
  }

  /** The link of a part with that id; the first where several have it. */
  link(part: string, id: string | undefined): PartLink | undefined {
    return id === undefined ? undefined : this.#knownLinks(part)?.byId.get(id)
  }

  #knownLinks(part: string): KnownLinks | undefined {
    const name = relationshipsName(part)
    if (!this.has(name)) return undefined
    const tree = this.#knownTree(name)
    const version = tree?.version ?? 0
    const known = this.#links.get(part)
    if (known && known.tree === tree && known.version === version) return known
    const raw = tree ? linksIn(tree) : this.#linksInFile(name)
    const links = raw.map(({ id, type, target, isExternal }): PartLink => {
      const own = isExternal ? target : resolveTarget(part, target)
      return {
        id,
        kind: type.slice(type.lastIndexOf('/') + 1),
        target: isExternal || this.#added.has(own) ? own : this.opc.spellingOf(own),
        isExternal,
      }
    })
    const byId = new Map([...links].reverse().map(own => [own.id, own]))
    const made = { tree, version, links, byId }
    this.#links.set(part, made)
    return made
  }

  #linksInFile(name: string): readonly RawLink[] {
    const bytes = this.opc.part(this.opc.spellingOf(name))
    return bytes.ok ? readRawLinks(bytes.value) : []
  }

  /** The tree of a part that was looked into. */
  #knownTree(name: string): LiveTree | undefined {
    const tree = this.#added.get(name) ?? this.#trees.get(this.opc.spellingOf(name))
    return tree instanceof LiveTree ? tree : undefined
  }

  /** Links a part to a target and returns the id; an equal link is used again. */
  addLink(part: string, kind: string, target: string, isExternal = false): string {
    const same = this.links(part).find(
      link => link.kind === kind && link.target === target && link.isExternal === isExternal,
    )
    if (same) return same.id
    const tree = this.#relationships(part)
    const used = new Set(this.links(part).map(({ id }) => id))
    let number = used.size + 1
    while (used.has(`rId${number}`)) number++
    const base = this.isStrict
      ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
      : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const type = kind.includes(':') ? kind : `${base}/${kind}`
    const [node] = tree.fragment('<rel:Relationship/>')
    tree.setAttribute(node!, 'Id', `rId${number}`)
    tree.setAttribute(node!, 'Type', type)
    tree.setAttribute(node!, 'Target', isExternal ? target : `/${target}`)
    if (isExternal) tree.setAttribute(node!, 'TargetMode', 'External')
    tree.append(tree.root, [node!])
    return `rId${number}`
  }

  /** Adds a part with its type; `content` is XML or bytes. The name must be free. */
  addPart(name: string, type: string, content: string | Uint8Array): void {
    const tree = typeof content === 'string' ? LiveTree.parse(Buffer.from(content)) : content
    if (typeof tree === 'string') throw new Error(`The new part ${name} is no XML: ${tree}`)
    if (tree instanceof LiveTree) tree.journal = this.#journal
    this.#add(name, type, tree)
  }

  /**
   * The same part again in the same folder, with links of its own. The part can be read. Links that come from another
   * package name parts of that one: the caller points them to parts of this one.
   */
  copyPart(from: string, name: string, type: string, source: LivePackage = this): void {
    for (const [own, copy, kind] of [
      [from, name, type],
      [relationshipsName(from), relationshipsName(name), RELATIONSHIPS_TYPE],
    ] as const) {
      const tree = source.findTree(own)?.bytes()
      const copied = tree && LiveTree.parse(tree)
      if (!(copied instanceof LiveTree)) continue
      copied.journal = this.#journal
      this.#add(copy, kind, copied)
    }
  }

  /** `word/media/image3.png` where 1 and 2 are taken. */
  freeName(prefix: string, ending: string): string {
    const used = new Set([...this.opc.names, ...this.#added.keys()].map(name => name.toLowerCase()))
    let number = 1
    while (used.has(`${prefix}${number}${ending}`.toLowerCase())) number++
    return `${prefix}${number}${ending}`
  }

  /** The bytes of a part that is not XML, such as a picture. */
  bytesOf(name: string): Result<Uint8Array> {
    const added = this.#added.get(name)
    return added instanceof Uint8Array ? ok(added) : this.opc.part(name)
  }

  /** New bytes for a part that is not XML. */
  setBytes(name: string, bytes: Uint8Array): void {
    this.#put(name, bytes)
  }

  /** The content type of a part that is there. */
  typeOf(name: string): string | undefined {
    const tree = this.#contentTypes()
    const part = `/${name}`.toLowerCase()
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    const own = tree.root.children.find(
      node => tree.attribute(node, 'PartName')?.toLowerCase() === part,
    )
    const general = tree.root.children.find(
      node => tree.attribute(node, 'Extension')?.toLowerCase() === ending,
    )
    return tree.attribute(own ?? general, 'ContentType')
  }

  /** Another content type for a part that is there. */
  setType(name: string, type: string): void {
    const tree = this.#contentTypes()
    const part = `/${name}`.toLowerCase()
    const own = tree.root.children.find(
      node => tree.attribute(node, 'PartName')?.toLowerCase() === part,
    )
    if (own) tree.setAttribute(own, 'ContentType', type)
    else this.#declare(name, type)
  }

  /** Takes a part out of the package, with its type and its own links. Links to it are the caller's. */
  removePart(name: string): void {
    for (const own of [name, relationshipsName(name)]) {
      if (!this.has(own)) continue
      const added = this.#added.has(own) ? new Map(this.#added) : undefined // in their order
      const isInFile = this.opc.has(own) && !this.#removed.has(this.opc.spellingOf(own))
      this.#added.delete(own)
      const spelled = this.opc.spellingOf(own)
      if (isInFile) this.#removed.add(spelled)
      this.#restructure(() => {
        if (added) this.#added = added
        if (isInFile) this.#removed.delete(spelled)
      })
      const tree = this.#contentTypes()
      const part = `/${own}`.toLowerCase()
      for (const node of [...tree.root.children])
        if (tree.attribute(node, 'PartName')?.toLowerCase() === part) tree.remove(node)
    }
  }

  removeLink(part: string, id: string): void {
    const tree = this.findTree(relationshipsName(part))
    const node = tree?.root.children.find(own => tree.attribute(own, 'Id') === id)
    if (tree && node) tree.remove(node)
  }

  /** Points a link to another part. */
  retarget(part: string, id: string, target: string): void {
    const tree = this.findTree(relationshipsName(part))
    const node = tree?.root.children.find(own => tree.attribute(own, 'Id') === id)
    if (tree && node) tree.setAttribute(node, 'Target', `/${target}`)
  }

  /** Every part there is now. */
  get names(): readonly string[] {
    return [...this.opc.names.filter(name => !this.#removed.has(name)), ...this.#added.keys()]
  }

  /** Every change from now on pushes its undo step there. */
  record(journal: (() => void)[] | undefined): void {
    this.#journal = journal
    for (const tree of [...this.#trees.values(), ...this.#added.values()])
      if (tree instanceof LiveTree) tree.journal = journal
  }

  /** Grows with every change of any part. */
  get version(): number {
    let version = this.#structure
    for (const tree of [...this.#trees.values(), ...this.#added.values()])
      if (tree instanceof LiveTree) version += tree.version
    return version
  }

  /** Another one whenever the main part, its links or the set of parts changed. */
  get listVersion(): string {
    const links = this.#knownTree(relationshipsName(this.mainName))?.version
    return `${this.#structure} ${this.main.version} ${links}`
  }

  content(): Result<Content> {
    const edits = this.edits()
    return edits.ok ? ok(this.opc.content(edits.value)) : edits
  }

  /** The parts that differ from those of the package below; null: gone. */
  edits(): Result<Map<string, Uint8Array | null>> {
    const edits = new Map<string, Uint8Array | null>()
    for (const name of this.#removed) edits.set(name, null)
    for (const [name, tree] of this.#trees) {
      if (this.#removed.has(name) || typeof tree === 'string' || !tree.isChanged) continue
      const before = this.opc.part(name)
      if (!before.ok) return before
      const bytes = tree.bytes()
      if (Buffer.compare(before.value, bytes) !== 0) edits.set(name, bytes)
    }
    for (const [name, part] of this.#added)
      edits.set(name, part instanceof LiveTree ? part.bytes() : part)
    return ok(edits)
  }

  #add(name: string, type: string, content: LiveTree | Uint8Array): void {
    this.#put(name, content)
    this.#declare(name, type)
  }

  #put(name: string, content: LiveTree | Uint8Array): void {
    const before = this.#added.get(name)
    this.#added.set(name, content)
    this.#restructure(() => {
      if (before === undefined) this.#added.delete(name)
      else this.#added.set(name, before)
    })
  }

  #restructure(undo: () => void): void {
    this.#structure++
    this.#journal?.push(() => {
      this.#structure++
      undo()
    })
  }

  #parse(name: string): LiveTree | string {
    const spelled = this.opc.spellingOf(name)
    const part = this.opc.part(spelled)
    const tree = part.ok ? LiveTree.parse(part.value) : part.failure.message
    if (tree instanceof LiveTree) tree.journal = this.#journal
    this.#trees.set(spelled, tree)
    return tree
  }

  #relationships(part: string): LiveTree {
    const name = relationshipsName(part)
    if (!this.has(name)) this.addPart(name, RELATIONSHIPS_TYPE, RELATIONSHIPS)
    const tree = this.tree(name)
    if (!tree.ok) throw new Error(tree.failure.message)
    return tree.value
  }

  #declare(name: string, type: string): void {
    const tree = this.#contentTypes()
    const own = `/${name}`.toLowerCase()
    // a file may give a type to a part that it does not have
    const known = tree.root.children.find(
      node =>
        node.name === 'ct:Override' && tree.attribute(node, 'PartName')?.toLowerCase() === own,
    )
    if (known) return tree.setAttribute(known, 'ContentType', type)
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    const isDefault = tree.root.children.some(
      node =>
        node.name === 'ct:Default' &&
        tree.attribute(node, 'Extension')?.toLowerCase() === ending &&
        tree.attribute(node, 'ContentType') === type,
    )
    if (isDefault) return
    const [node] = tree.fragment('<ct:Override/>')
    tree.setAttribute(node!, 'PartName', `/${name}`)
    tree.setAttribute(node!, 'ContentType', type)
    tree.append(tree.root, [node!])
  }

  #contentTypes(): LiveTree {
    const types = this.tree(this.opc.spellingOf(CONTENT_TYPES_NAME))
    if (!types.ok) throw new Error(types.failure.message)
    return types.value
  }
}

function rootIn(tree: LiveTree): LiveRoot {
  const attributes = tree.attributesOf(tree.root).map(({ name, value }) => [name, value] as const)
  return { name: tree.root.name, attributes: new Map(attributes) }
}

function linksIn(tree: LiveTree): readonly RawLink[] {
  return tree.root.children
    .filter(({ name }) => name === 'rel:Relationship')
    .map(node => ({
      id: tree.attribute(node, 'Id') ?? '',
      type: tree.attribute(node, 'Type') ?? '',
      target: tree.attribute(node, 'Target') ?? '',
      isExternal: tree.attribute(node, 'TargetMode') === 'External',
    }))
}
