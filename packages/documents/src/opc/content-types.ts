import {
  attribute,
  children,
  parseXml,
  toUtf8,
  type XmlDocument,
  type XmlEncoding,
} from './xml/index.ts'

/** `[Content_Types].xml`: the type of each part. */
export interface ContentTypes {
  readonly document: XmlDocument
  readonly encoding: XmlEncoding
  typeOf(name: string): string | undefined
}

export const CONTENT_TYPES_NAME = '[Content_Types].xml'

/** A string says why it cannot be read. */
export function parseContentTypes(bytes: Uint8Array): ContentTypes | string {
  const decoded = toUtf8(bytes)
  if (!decoded) return 'it is in an unknown encoding'
  const document = parseXml(decoded.utf8)
  if (typeof document === 'string') return document
  const overrides = new Map<string, string>()
  const defaults = new Map<string, string>()
  for (const element of children(document.root, 'Override'))
    overrides.set(
      partKey(attribute(element, 'PartName') ?? ''),
      attribute(element, 'ContentType') ?? '',
    )
  for (const element of children(document.root, 'Default'))
    defaults.set(
      (attribute(element, 'Extension') ?? '').toLowerCase(),
      attribute(element, 'ContentType') ?? '',
    )
  return {
    document,
    encoding: decoded.encoding,
    typeOf: name =>
      overrides.get(partKey(name)) ??
      defaults.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()),
  }
}

function partKey(name: string): string {
  return name.replace(/^\//, '').toLowerCase()
}
