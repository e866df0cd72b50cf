import { decodeText, type XmlReader } from '../xml/index.ts'

/** The namespaces of Office files by the prefix that this code uses for them, whatever prefix a file chose. */
const URIS: Readonly<Record<string, readonly string[]>> = {
  w: [
    'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
    'http://purl.oclc.org/ooxml/wordprocessingml/main',
  ],
  r: [
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
    'http://purl.oclc.org/ooxml/officeDocument/relationships',
  ],
  a: [
    'http://schemas.openxmlformats.org/drawingml/2006/main',
    'http://purl.oclc.org/ooxml/drawingml/main',
  ],
  p: [
    'http://schemas.openxmlformats.org/presentationml/2006/main',
    'http://purl.oclc.org/ooxml/presentationml/main',
  ],
  x: [
    'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
    'http://purl.oclc.org/ooxml/spreadsheetml/main',
  ],
  wp: [
    'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
    'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
  ],
  pic: [
    'http://schemas.openxmlformats.org/drawingml/2006/picture',
    'http://purl.oclc.org/ooxml/drawingml/picture',
  ],
  c: [
    'http://schemas.openxmlformats.org/drawingml/2006/chart',
    'http://purl.oclc.org/ooxml/drawingml/chart',
  ],
  xdr: [
    'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing',
    'http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing',
  ],
  dgm: [
    'http://schemas.openxmlformats.org/drawingml/2006/diagram',
    'http://purl.oclc.org/ooxml/drawingml/diagram',
  ],
  m: [
    'http://schemas.openxmlformats.org/officeDocument/2006/math',
    'http://purl.oclc.org/ooxml/officeDocument/math',
  ],
  mc: ['http://schemas.openxmlformats.org/markup-compatibility/2006'],
  v: ['urn:schemas-microsoft-com:vml'],
  o: ['urn:schemas-microsoft-com:office:office'],
  w10: ['urn:schemas-microsoft-com:office:word'],
  w14: ['http://schemas.microsoft.com/office/word/2010/wordml'],
  w15: ['http://schemas.microsoft.com/office/word/2012/wordml'],
  wps: ['http://schemas.microsoft.com/office/word/2010/wordprocessingShape'],
  wpg: ['http://schemas.microsoft.com/office/word/2010/wordprocessingGroup'],
  wpc: ['http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas'],
  wp14: ['http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing'],
  p14: ['http://schemas.microsoft.com/office/powerpoint/2010/main'],
  a14: ['http://schemas.microsoft.com/office/drawing/2010/main'],
  x14: ['http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'],
  xm: ['http://schemas.microsoft.com/office/excel/2006/main'],
  tc: ['http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments'],
  rel: ['http://schemas.openxmlformats.org/package/2006/relationships'],
  ct: ['http://schemas.openxmlformats.org/package/2006/content-types'],
  cp: ['http://schemas.openxmlformats.org/package/2006/metadata/core-properties'],
  dc: ['http://purl.org/dc/elements/1.1/'],
  dcterms: ['http://purl.org/dc/terms/'],
  ep: [
    'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties',
    'http://purl.oclc.org/ooxml/officeDocument/extendedProperties',
  ],
  xsi: ['http://www.w3.org/2001/XMLSchema-instance'],
  xml: ['http://www.w3.org/XML/1998/namespace'],
}

const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries(URIS).flatMap(([prefix, uris]) => uris.map(uri => [uri, prefix] as const)),
)

/** Our prefix of a namespace; undefined for one that no code here names. */
export function prefixOfUri(uri: string): string | undefined {
  return PREFIXES.get(uri)
}

/** The namespace of our prefix, of the transitional or the strict kind. */
export function uriOfPrefix(prefix: string, isStrict: boolean): string | undefined {
  const uris = Object.hasOwn(URIS, prefix) ? URIS[prefix] : undefined
  return (isStrict ? uris?.[1] : undefined) ?? uris?.[0]
}

/** The namespaces in force at an element, from the prefix as written ('' for the default one). */
export class NamespaceScope {
  readonly uris: ReadonlyMap<string, string>
  readonly #canonical = new Map<string, string>()

  constructor(uris: ReadonlyMap<string, string>) {
    this.uris = uris
  }

  static readonly EMPTY = new NamespaceScope(
    new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]),
  )

  with(declared: readonly (readonly [string, string])[]): NamespaceScope {
    return declared.length === 0 ? this : new NamespaceScope(new Map([...this.uris, ...declared]))
  }

  /** `w:p` for `ns0:p` or `p`, by the namespace. A name of an unknown namespace stays as it is written. */
  canonical(written: string): string {
    const known = this.#canonical.get(written)
    if (known !== undefined) return known
    const colon = written.indexOf(':')
    const uri = this.uris.get(colon < 0 ? '' : written.slice(0, colon))
    const prefix = uri === undefined ? undefined : prefixOfUri(uri)
    const name = prefix === undefined ? written : `${prefix}:${written.slice(colon + 1)}`
    this.#canonical.set(written, name)
    return name
  }

  /** Attributes without a prefix have no namespace. */
  canonicalAttribute(written: string): string {
    return written.includes(':') ? this.canonical(written) : written
  }

  /** How our prefix is written here: '' for the default namespace; undefined where it is not declared. */
  writtenPrefix(prefix: string): string | undefined {
    for (const [written, uri] of this.uris) if (prefixOfUri(uri) === prefix) return written
    return undefined
  }
}

/** The namespaces that the element under the reader declares, by the prefix as written. */
export function declarations(reader: XmlReader): readonly (readonly [string, string])[] {
  const { bytes, attributes, attributeEnd } = reader
  let found: [string, string][] | undefined
  for (let i = 0; i < attributeEnd; i += 4) {
    const start = attributes[i]!
    // "xmlns" or "xmlns:"
    if (bytes[start] !== 120 || bytes[start + 1] !== 109 || bytes[start + 4] !== 115) continue
    const name = decodeText(bytes, start, attributes[i + 1]!)
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    found ??= []
    found.push([name.slice(6), decodeText(bytes, attributes[i + 2]!, attributes[i + 3]!)])
  }
  return found ?? NO_DECLARATIONS
}

const NO_DECLARATIONS: readonly (readonly [string, string])[] = []
