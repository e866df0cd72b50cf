import { type Content, counted, fail, LIMITS, ok, type Result } from '@filewright/protocol'
import { type ContentTypes, parseContentTypes } from './content-types.ts'
import { checksum, inflate, inflateStart } from './inflate.ts'
import { parseRelationships, type Relationship, relationshipsName } from './relationships.ts'
import { parseXml, toUtf8, type XmlDocument, type XmlEncoding } from './xml/index.ts'
import {
  broken,
  DEFLATED,
  readZip,
  STORED,
  tooLarge,
  type ZipArchive,
  type ZipEntry,
} from './zip.ts'
import { type ZipEdits, zipContent } from './zip-content.ts'

/**
 * The zip of parts that makes an Office file. Parts are unpacked on request; names are as in the zip,
 * `xl/workbook.xml`.
 */
export class OpcPackage {
  readonly contentTypes: ContentTypes
  readonly #archive: ZipArchive
  readonly #byName = new Map<string, ZipEntry>()
  readonly #kept = new Map<string, Uint8Array>()
  #keptBytes = 0

  private constructor(archive: ZipArchive, contentTypes: ContentTypes) {
    this.#archive = archive
    this.contentTypes = contentTypes
    for (const entry of archive.entries) this.#byName.set(fold(entry.name), entry)
  }

  static open(bytes: Uint8Array): Result<OpcPackage> {
    const archive = readZip(bytes)
    if (!archive.ok) return archive
    const types = archive.value.entries.find(entry => fold(entry.name) === '[content_types].xml')
    if (!types)
      return (
        findOpenDocument(archive.value) ??
        broken('it is a zip, but its list of content types is missing')
      )
    const part = unpack(archive.value, types)
    if (!part.ok) return part
    const contentTypes = parseContentTypes(part.value)
    if (typeof contentTypes === 'string')
      return broken(`its list of content types is not readable: ${contentTypes}`)
    return ok(new OpcPackage(archive.value, contentTypes))
  }

  get names(): readonly string[] {
    return this.#archive.entries.map(entry => entry.name)
  }

  has(name: string): boolean {
    return this.#byName.has(fold(name))
  }

  /** The name as spelled in the zip. */
  spellingOf(name: string): string {
    return this.#byName.get(fold(name))?.name ?? name
  }

  sizeOf(name: string): number {
    return this.#byName.get(fold(name))?.size ?? 0
  }

  packedSizeOf(name: string): number {
    return this.#byName.get(fold(name))?.packedSize ?? 0
  }

  part(name: string): Result<Uint8Array> {
    const entry = this.#byName.get(fold(name))
    if (!entry) return broken(`its part ${name} is missing`)
    const kept = this.#kept.get(entry.name)
    if (kept) return ok(kept)
    const bytes = unpack(this.#archive, entry)
    if (bytes.ok) this.#keep(entry.name, bytes.value)
    return bytes
  }

  /** At least the first bytes of a part, without unpacking the rest; call again with more until `isWhole`. */
  partStart(name: string, packedLength: number): Result<{ bytes: Uint8Array; isWhole: boolean }> {
    const entry = this.#byName.get(fold(name))
    if (!entry) return broken(`its part ${name} is missing`)
    const kept = this.#kept.get(entry.name)
    if (kept || entry.method !== DEFLATED || packedLength >= entry.packedSize) {
      const whole = this.part(name)
      return whole.ok ? ok({ bytes: whole.value, isWhole: true }) : whole
    }
    const packed = this.#archive.bytes.subarray(entry.dataStart, entry.dataEnd)
    const bytes = inflateStart(packed, packedLength, entry.size)
    if (!bytes) return broken(`its part ${name} does not unpack`)
    return ok({ bytes, isWhole: false })
  }

  xml(name: string): Result<XmlDocument & { readonly encoding: XmlEncoding }> {
    const part = this.part(name)
    if (!part.ok) return part
    const decoded = toUtf8(part.value)
    if (!decoded) return broken(`its part ${name} is in an unknown encoding`)
    const document = parseXml(decoded.utf8)
    if (typeof document === 'string')
      return broken(`its part ${name} is not well-formed XML: ${document}`)
    return ok({ ...document, encoding: decoded.encoding })
  }

  /**
   * The relationships of a part, or of the package itself for ''. Empty when there is no such part, or when it is
   * broken.
   */
  relationships(name: string): readonly Relationship[] {
    const relationships = this.readRelationships(name)
    return relationships.ok ? relationships.value : []
  }

  readRelationships(name: string): Result<readonly Relationship[]> {
    const own = relationshipsName(name)
    if (!this.has(own)) return ok([])
    const document = this.xml(own)
    if (!document.ok) return document
    return ok(parseRelationships(document.value, name))
  }

  content(edits: ZipEdits): Content {
    return zipContent(this.#archive, edits)
  }

  /** Caches unpacked parts while they fit; a large sheet that is read often is unpacked once. */
  #keep(name: string, bytes: Uint8Array): void {
    if (bytes.length > KEPT_BYTES) return
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes + bytes.length <= KEPT_BYTES) break
      this.#kept.delete(oldest)
      this.#keptBytes -= old.length
    }
    this.#kept.set(name, bytes)
    this.#keptBytes += bytes.length
  }
}

/** OpenDocument files declare their type in an entry of their own. */
function findOpenDocument(archive: ZipArchive): Result<never> | undefined {
  const entry = archive.entries.find(({ name, size }) => name === 'mimetype' && size < 200)
  const part = entry && unpack(archive, entry)
  const type = part?.ok ? Buffer.from(part.value).toString('latin1') : ''
  if (!type.startsWith('application/vnd.oasis.opendocument')) return undefined
  return fail(
    'UNREADABLE_FORMAT',
    'Cannot open the file as an Office package: it is an OpenDocument file (ods, odt, odp), whatever its name says. Ask for it saved in the current format (xlsx, docx, pptx).',
  )
}

const KEPT_BYTES = 48 * 1024 * 1024 // in addition to the package itself, within the engine's 250 MB

export function unpack(archive: ZipArchive, entry: ZipEntry): Result<Uint8Array> {
  const packed = archive.bytes.subarray(entry.dataStart, entry.dataEnd)
  if (entry.size > LIMITS.packagePartBytes) return tooLarge(`its part ${entry.name} is too large`)
  if (entry.method !== STORED && entry.method !== DEFLATED)
    return broken(
      `its part ${entry.name} is packed with method ${entry.method}, which Office does not use`,
    )
  const bytes = entry.method === STORED ? packed : inflate(packed, entry.size)
  if (!bytes || bytes.length !== entry.size)
    return broken(
      `its part ${entry.name} does not unpack to the ${counted(entry.size, 'byte')} it declares`,
    )
  if (checksum(bytes) !== entry.crc)
    return broken(`the checksum of its part ${entry.name} is wrong`)
  return ok(bytes)
}

function fold(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
}
