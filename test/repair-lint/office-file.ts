import { ok, type Result } from '@filewright/protocol'
import {
  type LiveNode,
  LiveTree,
  OpcPackage,
  type Relationship,
} from '../../packages/documents/src/opc/index.ts'

/** A package as the rules look at it: parts as trees whose names carry our prefixes. */
export class OfficeFile {
  readonly opc: OpcPackage
  readonly #trees = new Map<string, LiveTree | string>()

  private constructor(opc: OpcPackage) {
    this.opc = opc
  }

  static open(bytes: Uint8Array): Result<OfficeFile> {
    const opened = OpcPackage.open(bytes)
    return opened.ok ? ok(new OfficeFile(opened.value)) : opened
  }

  /** Names of the parts, without folders and the list of content types. */
  get parts(): readonly string[] {
    return this.opc.names.filter(name => !name.endsWith('/') && !isContentTypes(name))
  }

  /** Parts whose content is XML, by their type or their name. */
  get xmlParts(): readonly string[] {
    return this.parts.filter(name => /(\+|\/)xml$/.test(this.typeOf(name)) || /\.rels$/i.test(name))
  }

  get main(): string | undefined {
    return this.linked('', 'officeDocument')[0]
  }

  typeOf(name: string): string {
    return this.opc.contentTypes.typeOf(name) ?? ''
  }

  /** A string describes why the part is not well-formed. */
  parse(name: string): LiveTree | string {
    const spelled = this.opc.spellingOf(name)
    const known = this.#trees.get(spelled)
    if (known !== undefined) return known
    const part = this.opc.part(spelled)
    const tree = part.ok ? LiveTree.parse(part.value) : part.failure.message
    this.#trees.set(spelled, tree)
    return tree
  }

  tree(name: string | undefined): LiveTree | undefined {
    if (name === undefined || !this.opc.has(name)) return undefined
    const tree = this.parse(name)
    return typeof tree === 'string' ? undefined : tree
  }

  links(part: string): readonly Relationship[] {
    return this.opc.relationships(part)
  }

  /** Names of the parts that a part links to with that kind of link. */
  linked(part: string | undefined, kind: string): readonly string[] {
    return this.links(part ?? '')
      .filter(link => link.kind === kind && !link.isExternal && this.opc.has(link.target))
      .map(({ target }) => this.opc.spellingOf(target))
  }
}

export function isContentTypes(name: string): boolean {
  return name.toLowerCase() === '[content_types].xml'
}

/** `word/_rels/document.xml.rels` → `word/document.xml`; '' for the package. Undefined for any other part. */
export function ownerOfLinks(name: string): string | undefined {
  const match = /^(.*\/)?_rels\/([^/]*)\.rels$/i.exec(name)
  return match ? `${match[1] ?? ''}${match[2]}` : undefined
}

/** Every element, in the order of the document. */
export function* elements(node: LiveNode): Generator<LiveNode> {
  if (node.isText) return
  yield node
  for (const child of node.children) yield* elements(child)
}

/** What occurs more than once. */
export function twice(values: Iterable<string>): string[] {
  const seen = new Set<string>()
  const found = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) found.add(value)
    seen.add(value)
  }
  return [...found]
}
