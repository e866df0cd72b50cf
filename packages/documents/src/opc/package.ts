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
  /** Names as in the zip, which need no folding. */
  readonly #spelled = new Set<string>()
  readonly #kept = new Map<string, Uint8Array>()
  /** New bytes of parts by folded name, on top of the zip; null: gone. */
  readonly #edits: ReadonlyMap<string, { readonly name: string; readonly bytes: Uint8Array | null }>
  #keptBytes = 0

  private constructor(
    archive: ZipArchive,
    contentTypes: ContentTypes,
    edits: ReadonlyMap<string, { name: string; bytes: Uint8Array | null }> = new Map(),
  ) {
    this.#archive = archive
    this.contentTypes = contentTypes
    this.#edits = edits
    for (const entry of archive.entries) this.#byName.set(fold(entry.name), entry)
    for (const { name } of this.#byName.values()) this.#spelled.add(name)
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

  /** The package with those edits made. Its content stays a list of slices of the same zip. */
  edited(edits: ZipEdits): Result<OpcPackage> {
    const all = new Map(this.#edits)
    for (const [name, bytes] of edits) all.set(fold(name), { name: this.spellingOf(name), bytes })
    const types = all.get('[content_types].xml')?.bytes
    if (!types) return ok(new OpcPackage(this.#archive, this.contentTypes, all))
    const contentTypes = parseContentTypes(types)
    if (typeof contentTypes === 'string')
      return broken(`its list of content types is not readable: ${contentTypes}`)
    return ok(new OpcPackage(this.#archive, contentTypes, all))
  }

  /** It is not as it was opened. */
  get isEdited(): boolean {
    return this.#edits.size > 0
  }

  get names(): readonly string[] {
    const added = [...this.#edits].filter(([folded]) => !this.#byName.has(folded))
    return [
      ...this.#archive.entries.map(entry => entry.name),
      ...added.map(([, { name }]) => name),
    ].filter(name => this.has(name))
  }

  has(name: string): boolean {
    if (this.#edits.size === 0 && this.#spelled.has(name)) return true
    const folded = fold(name)
    const edit = this.#edits.get(folded)
    return edit ? edit.bytes !== null : this.#byName.has(folded)
  }

  /** The name as spelled in the zip. */
  spellingOf(name: string): string {
    if (this.#spelled.has(name)) return name
    const folded = fold(name)
    return this.#byName.get(folded)?.name ?? this.#edits.get(folded)?.name ?? name
  }

  sizeOf(name: string): number {
    const edit = this.#edits.get(fold(name))
    return edit ? (edit.bytes?.length ?? 0) : (this.#byName.get(fold(name))?.size ?? 0)
  }

  packedSizeOf(name: string): number {
    const edit = this.#edits.get(fold(name))
    return edit ? (edit.bytes?.length ?? 0) : (this.#byName.get(fold(name))?.packedSize ?? 0)
  }

  part(name: string): Result<Uint8Array> {
    const edit = this.#edits.get(fold(name))
    if (edit) return edit.bytes ? ok(edit.bytes) : broken(`its part ${name} is missing`)
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
    if (this.#edits.has(fold(name))) {
      const whole = this.part(name)
      return whole.ok ? ok({ bytes: whole.value, isWhole: true }) : whole
    }
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
    if (this.#edits.size === 0) return zipContent(this.#archive, edits)
    const all = new Map<string, Uint8Array | null>()
    for (const { name, bytes } of this.#edits.values())
      if (bytes || this.#byName.has(fold(name))) all.set(name, bytes)
    for (const [name, bytes] of edits) all.set(this.spellingOf(name), bytes)
    for (const [name, bytes] of all) if (this.#isAsInZip(name, bytes)) all.delete(name)
    return zipContent(this.#archive, all)
  }

  /** What was changed and changed back keeps its packed bytes. */
  #isAsInZip(name: string, bytes: Uint8Array | null): boolean {
    const entry = this.#byName.get(fold(name))
    if (!bytes || !entry || entry.size !== bytes.length || entry.crc !== checksum(bytes))
      return !bytes && !entry
    const before = unpack(this.#archive, entry)
    return before.ok && Buffer.compare(before.value, bytes) === 0
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
