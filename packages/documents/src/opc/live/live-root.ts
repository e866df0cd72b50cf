import {
  bufferOf,
  decodeText,
  findXmlProblem,
  toUtf8,
  XML_EMPTY,
  XML_OPEN,
  XmlReader,
} from '../xml/index.ts'
import { declarations, NamespaceScope } from './namespaces.ts'

/** The outermost element of a part, without a tree of what is in it. */
export interface LiveRoot {
  /** With our prefix: `p:sld`. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

/** Finds outermost elements; the parts of a package often share theirs, so that each is read once. */
export class RootFinder {
  readonly #byTag = new Map<string, LiveRoot>()

  /** Undefined where the part is not well-formed: no tree of it can be made either. */
  find(bytes: Uint8Array): LiveRoot | undefined {
    const utf8 = toUtf8(bytes)?.utf8
    if (!utf8 || findXmlProblem(utf8) !== undefined) return undefined
    const reader = new XmlReader(utf8)
    let kind = reader.next()
    while (kind !== XML_OPEN && kind !== XML_EMPTY) kind = reader.next()
    const tag = bufferOf(utf8).toString('latin1', reader.start, reader.end)
    const known = this.#byTag.get(tag)
    if (known) return known
    const root = rootUnder(reader)
    this.#byTag.set(tag, root)
    return root
  }
}

function rootUnder(reader: XmlReader): LiveRoot {
  const { bytes, attributes: own, attributeEnd, nameStart, nameEnd } = reader
  const scope = NamespaceScope.EMPTY.with(declarations(reader))
  const attributes = new Map<string, string>()
  for (let i = 0; i < attributeEnd; i += 4)
    attributes.set(
      scope.canonicalAttribute(decodeText(bytes, own[i]!, own[i + 1]!)),
      decodeText(bytes, own[i + 2]!, own[i + 3]!),
    )
  return { name: scope.canonical(decodeText(bytes, nameStart, nameEnd)), attributes }
}
