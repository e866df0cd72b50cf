import {
  attribute,
  children,
  decodeText,
  toUtf8,
  XML_BAD,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  type XmlDocument,
  type XmlElement,
  XmlReader,
} from './xml/index.ts'

/** A link from a part (or the package) to another part, or to a place outside. */
export interface Relationship {
  readonly id: string
  /** The last word of the type: `worksheet`, `styles`, `hyperlink`; the same in strict and transitional files. */
  readonly kind: string
  readonly type: string
  /** A part's name in the zip, or the address of an external target. */
  readonly target: string
  readonly isExternal: boolean
  readonly element: XmlElement
}

/** `xl/workbook.xml` → `xl/_rels/workbook.xml.rels`; '' is the package. */
export function relationshipsName(partName: string): string {
  const slash = partName.lastIndexOf('/') + 1
  return `${partName.slice(0, slash)}_rels/${partName.slice(slash)}.rels`
}

export function parseRelationships(document: XmlDocument, source: string): Relationship[] {
  return children(document.root, 'Relationship').map(element => {
    const type = attribute(element, 'Type') ?? ''
    const target = attribute(element, 'Target') ?? ''
    const isExternal = attribute(element, 'TargetMode') === 'External'
    return {
      id: attribute(element, 'Id') ?? '',
      kind: type.slice(type.lastIndexOf('/') + 1),
      type,
      target: isExternal ? target : resolveTarget(source, target),
      isExternal,
      element,
    }
  })
}

/** As the file says it: no target is resolved. */
export interface RawLink {
  readonly id: string
  readonly type: string
  readonly target: string
  readonly isExternal: boolean
}

/** The relationships in the bytes of their part, without a tree; empty where it is broken. */
export function readRawLinks(bytes: Uint8Array): readonly RawLink[] {
  const utf8 = toUtf8(bytes)?.utf8
  if (!utf8) return []
  const reader = new XmlReader(utf8)
  const links: RawLink[] = []
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD) return []
    if (kind === XML_END) return links
    if ((kind === XML_OPEN || kind === XML_EMPTY) && reader.depth === 2) {
      const name = decodeText(utf8, reader.nameStart, reader.nameEnd)
      if (/(^|:)Relationship$/.test(name)) links.push(rawLink(reader))
    }
  }
}

function rawLink({ bytes, attributes, attributeEnd }: XmlReader): RawLink {
  const own: Record<string, string> = Object.create(null)
  for (let i = 0; i < attributeEnd; i += 4)
    own[decodeText(bytes, attributes[i]!, attributes[i + 1]!)] = decodeText(
      bytes,
      attributes[i + 2]!,
      attributes[i + 3]!,
    )
  return {
    id: own.Id ?? '',
    type: own.Type ?? '',
    target: own.Target ?? '',
    isExternal: own.TargetMode === 'External',
  }
}

/** A target relative to its source part; it cannot leave the package. */
export function resolveTarget(source: string, target: string): string {
  const segments = target.startsWith('/') ? [] : source.split('/').slice(0, -1)
  for (const segment of decodeTarget(target).replaceAll('\\', '/').split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') segments.pop()
    else segments.push(segment)
  }
  return segments.join('/')
}

function decodeTarget(target: string): string {
  const path = target.split('#', 1)[0]!
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
