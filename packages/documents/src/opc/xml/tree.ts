import { LIMITS } from '@filewright/protocol'
import { XML_BAD, XML_CLOSE, XML_EMPTY, XML_END, XML_OPEN, XmlReader } from './reader.ts'
import { decodeText } from './text.ts'

/** An element with every offset that an edit may need. For parts of modest size; sheets are scanned instead. */
export interface XmlElement {
  /** With its prefix, as written. */
  readonly name: string
  /** Without its prefix. */
  readonly local: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: XmlElement[]
  readonly parent: XmlElement | undefined
  readonly start: number
  /** After the opening tag. */
  readonly openEnd: number
  /** Where the closing tag starts; equal to `openEnd` in an empty tag. */
  closeStart: number
  end: number
  readonly isEmptyTag: boolean
}

export interface XmlAttribute {
  readonly name: string
  readonly local: string
  readonly value: string
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
}

export interface XmlDocument {
  readonly bytes: Uint8Array
  readonly root: XmlElement
}

/** A string describes why the part is not well-formed. */
export function parseXml(bytes: Uint8Array): XmlDocument | string {
  const reader = new XmlReader(bytes)
  let root: XmlElement | undefined
  let current: XmlElement | undefined
  let count = 0
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD) return reader.problem
    if (kind === XML_END) return root ? { bytes, root } : 'it has no element'
    if (kind === XML_OPEN || kind === XML_EMPTY) {
      if (++count > LIMITS.xmlElements) return `it has more than ${LIMITS.xmlElements} elements`
      const element = toElement(reader, kind === XML_EMPTY, current)
      root ??= element
      current?.children.push(element)
      if (kind === XML_OPEN) current = element
    } else if (kind === XML_CLOSE && current) {
      current.closeStart = reader.start
      current.end = reader.end
      current = current.parent
    }
  }
}

function toElement(
  reader: XmlReader,
  isEmptyTag: boolean,
  parent: XmlElement | undefined,
): XmlElement {
  const { bytes, attributes: raw } = reader
  const name = decodeText(bytes, reader.nameStart, reader.nameEnd)
  const attributes: XmlAttribute[] = []
  for (let i = 0; i < reader.attributeEnd; i += 4) {
    const attributeName = decodeText(bytes, raw[i]!, raw[i + 1]!)
    attributes.push({
      name: attributeName,
      local: localOf(attributeName),
      value: decodeText(bytes, raw[i + 2]!, raw[i + 3]!),
      start: raw[i]!,
      valueStart: raw[i + 2]!,
      valueEnd: raw[i + 3]!,
    })
  }
  return {
    name,
    local: localOf(name),
    attributes,
    children: [],
    parent,
    start: reader.start,
    openEnd: reader.end,
    closeStart: reader.end,
    end: reader.end,
    isEmptyTag,
  }
}

export function localOf(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** `x:` or nothing: the prefix of new elements next to this one. */
export function prefixOf(element: XmlElement): string {
  return element.name.slice(0, element.name.length - element.local.length)
}

export function child(element: XmlElement | undefined, local: string): XmlElement | undefined {
  return element?.children.find(candidate => candidate.local === local)
}

export function children(element: XmlElement | undefined, local: string): XmlElement[] {
  return element?.children.filter(candidate => candidate.local === local) ?? []
}

/** Every element of that local name at any depth, in document order. */
export function* descendants(element: XmlElement, local: string): Generator<XmlElement> {
  for (const candidate of element.children) {
    if (candidate.local === local) yield candidate
    yield* descendants(candidate, local)
  }
}

/** Unprefixed. */
export function attribute(element: XmlElement | undefined, name: string): string | undefined {
  return element?.attributes.find(candidate => candidate.name === name)?.value
}

/** Prefixed, with any prefix: `r:id` is found as `id`. */
export function prefixedAttribute(
  element: XmlElement | undefined,
  local: string,
): string | undefined {
  return element?.attributes.find(
    candidate => candidate.local === local && candidate.name !== local,
  )?.value
}

export function textOf(document: XmlDocument, element: XmlElement | undefined): string {
  return element ? decodeText(document.bytes, element.openEnd, element.closeStart) : ''
}
