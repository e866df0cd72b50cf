import { counted, type Failure, fail, LIMITS, ok, type Result } from '@filewright/protocol'
import { whatItIs } from './sniff.ts'

/** One entry of the archive: where its bytes are, and what it declares. */
export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly flags: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  /** The local header's first byte. */
  readonly start: number
  readonly dataStart: number
  readonly dataEnd: number
  /** After the data descriptor, if there is one. */
  readonly end: number
  /** Its record in the central directory. */
  readonly central: { readonly start: number; readonly end: number }
}

export interface ZipArchive {
  readonly bytes: Uint8Array
  /** In the order of the central directory. */
  readonly entries: readonly ZipEntry[]
  readonly directory: ZipDirectory
}

export interface ZipDirectory {
  readonly start: number
  readonly end: number
  /** Bytes before the archive's own offset 0. */
  readonly shift: number
  readonly zip64?: { readonly record: number; readonly locator: number }
  readonly endRecord: number
}

export const STORED = 0
export const DEFLATED = 8
export const FLAG_ENCRYPTED = 1
export const FLAG_DESCRIPTOR = 8
export const FLAG_UTF8 = 0x800
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const DESCRIPTOR = 0x08074b50
const MAX_COMMENT = 0xffff
const UNKNOWN32 = 0xffffffff

type Refusal = { readonly ok: false; readonly failure: Failure }

/** Reads the directory and checks every claim that needs no unpacking. */
export function readZip(bytes: Uint8Array): Result<ZipArchive> {
  const view = viewOf(bytes)
  const stranger = whatItIs(bytes)
  if (stranger) return stranger
  const directory = findDirectory(view)
  if (!directory.ok) return directory
  const entries = readEntries(bytes, view, directory.value)
  if (!entries.ok) return entries
  const problem = findSizeProblem(entries.value) ?? findOverlap(entries.value, directory.value)
  if (problem) return problem
  return ok({ bytes, entries: entries.value, directory: directory.value })
}

function findDirectory(view: DataView): Result<ZipDirectory & { count: number }> {
  const at = findEndRecord(view)
  if (at < 0)
    return broken('the zip directory at its end is missing, so the file is cut off or damaged')
  let count = view.getUint16(at + 10, true)
  let size = view.getUint32(at + 12, true)
  let offset = view.getUint32(at + 16, true)
  let directoryEnd = at
  let zip64: ZipDirectory['zip64']
  const locator = at - 20
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR64) {
    const record = findRecord64(view, locator)
    if (record < 0) return broken('its zip64 record is missing')
    count = Number(view.getBigUint64(record + 32, true))
    size = Number(view.getBigUint64(record + 40, true))
    offset = Number(view.getBigUint64(record + 48, true))
    directoryEnd = record
    zip64 = { record, locator }
  }
  const start = directoryEnd - size
  const shift = start - offset
  if (start < 0 || shift < 0) return broken('its zip directory points outside the file')
  if (count > LIMITS.packageEntries)
    return tooLarge(`it holds ${count} parts, and the limit is ${LIMITS.packageEntries}`)
  return ok({ start, end: directoryEnd, shift, zip64, endRecord: at, count })
}

function findEndRecord(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - MAX_COMMENT)
  for (let at = view.byteLength - 22; at >= lowest; at--)
    if (
      view.getUint32(at, true) === END &&
      at + 22 + view.getUint16(at + 20, true) <= view.byteLength
    )
      return at
  return -1
}

function findRecord64(view: DataView, locator: number): number {
  const declared = Number(view.getBigUint64(locator + 8, true))
  for (const at of [declared, locator - 56])
    if (at >= 0 && at + 56 <= locator && view.getUint32(at, true) === END64) return at
  return -1
}

function readEntries(
  bytes: Uint8Array,
  view: DataView,
  directory: ZipDirectory & { count: number },
): Result<ZipEntry[]> {
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  let at = directory.start
  for (let index = 0; index < directory.count; index++) {
    if (at + 46 > directory.end || view.getUint32(at, true) !== CENTRAL)
      return broken(
        `its zip directory ends after ${index} of ${counted(directory.count, 'entry', 'entries')}`,
      )
    const entry = readEntry(bytes, view, at, directory)
    if (!entry.ok) return entry
    const { name } = entry.value
    const folded = name.toLowerCase()
    if (names.has(folded)) return broken(`it holds two parts named ${JSON.stringify(name)}`)
    names.add(folded)
    entries.push(entry.value)
    at = entry.value.central.end
  }
  if (at !== directory.end) return broken('its zip directory holds more than it declares')
  return ok(entries)
}

function readEntry(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  directory: ZipDirectory,
): Result<ZipEntry> {
  const nameEnd = at + 46 + view.getUint16(at + 28, true)
  const extraEnd = nameEnd + view.getUint16(at + 30, true)
  const end = extraEnd + view.getUint16(at + 32, true)
  if (end > directory.end) return broken('an entry of its zip directory is cut off')
  const rawName = bytes.subarray(at + 46, nameEnd)
  const name = decodeName(rawName)
  const flags = view.getUint16(at + 8, true)
  if (flags & FLAG_ENCRYPTED) return encryptedEntry(name)
  const unsafe = findNameProblem(name)
  if (unsafe) return broken(`the part name ${JSON.stringify(name)} ${unsafe}`)
  const sizes = readSizes(view, at, nameEnd, extraEnd)
  if (!sizes) return broken(`the zip64 sizes of ${name} are missing`)
  const start = sizes.offset + directory.shift
  const local = readLocal(bytes, view, start, rawName, directory.start)
  if (typeof local === 'string') return broken(`the part ${name} ${local}`)
  const dataEnd = local + sizes.packedSize
  if (dataEnd > directory.start) return broken(`the part ${name} reaches beyond the file's data`)
  return ok({
    name,
    method: view.getUint16(at + 10, true),
    flags,
    crc: view.getUint32(at + 16, true),
    packedSize: sizes.packedSize,
    size: sizes.size,
    start,
    dataStart: local,
    dataEnd,
    end: dataEnd + descriptorLength(view, flags, dataEnd, sizes, directory.start),
    central: { start: at, end },
  })
}

/** The data's start, or a description of the problem. */
function readLocal(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  rawName: Uint8Array,
  limit: number,
): number | string {
  if (at + 30 > limit || view.getUint32(at, true) !== LOCAL)
    return 'is not where the directory says'
  const nameEnd = at + 30 + view.getUint16(at + 26, true)
  const dataStart = nameEnd + view.getUint16(at + 28, true)
  if (dataStart > limit) return 'has a header that reaches beyond the data'
  if (!sameBytes(bytes.subarray(at + 30, nameEnd), rawName))
    return 'has different names in its own header and in the directory'
  return dataStart
}

function readSizes(view: DataView, at: number, extraStart: number, extraEnd: number) {
  let packedSize = view.getUint32(at + 20, true)
  let size = view.getUint32(at + 24, true)
  let offset = view.getUint32(at + 42, true)
  if (packedSize !== UNKNOWN32 && size !== UNKNOWN32 && offset !== UNKNOWN32)
    return { packedSize, size, offset }
  const field = findExtra(view, extraStart, extraEnd, 1)
  if (!field) return undefined
  let next = field.start
  const take = () => {
    if (next + 8 > field.end) return Number.NaN
    next += 8
    return Number(view.getBigUint64(next - 8, true))
  }
  if (size === UNKNOWN32) size = take()
  if (packedSize === UNKNOWN32) packedSize = take()
  if (offset === UNKNOWN32) offset = take()
  if (Number.isNaN(size + packedSize + offset)) return undefined
  return { packedSize, size, offset }
}

export function findExtra(view: DataView, start: number, end: number, id: number) {
  for (let at = start; at + 4 <= end; ) {
    const length = view.getUint16(at + 2, true)
    if (view.getUint16(at, true) === id)
      return { header: at, start: at + 4, end: Math.min(at + 4 + length, end) }
    at += 4 + length
  }
  return undefined
}

function descriptorLength(
  view: DataView,
  flags: number,
  at: number,
  sizes: { packedSize: number; size: number },
  limit: number,
): number {
  if (!(flags & FLAG_DESCRIPTOR)) return 0
  const signed = at + 4 <= limit && view.getUint32(at, true) === DESCRIPTOR ? 4 : 0
  const short = at + signed + 12 <= limit
  const isShort = short && view.getUint32(at + signed + 4, true) === sizes.packedSize
  // Only both sizes distinguish the forms: with nothing unpacked, the short one's second size is the long one's high
  // half.
  const isLong =
    signed === 4 &&
    sizes.packedSize > 0 &&
    at + signed + 20 <= limit &&
    Number(view.getBigUint64(at + signed + 4, true)) === sizes.packedSize &&
    Number(view.getBigUint64(at + signed + 12, true)) === sizes.size
  if (isLong) return signed + 20
  return isShort ? signed + 12 : 0
}

function findNameProblem(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (name.includes('\0')) return 'holds a NUL'
  if (/^[a-z]:/i.test(name) || name.startsWith('/')) return 'is absolute'
  if (name.split('/').includes('..')) return 'climbs out with ".."'
  return undefined
}

function findSizeProblem(entries: readonly ZipEntry[]): Refusal | undefined {
  let total = 0
  for (const { name, size, packedSize } of entries) {
    total += size
    if (size > LIMITS.packagePartBytes)
      return tooLarge(
        `its part ${name} unpacks to ${megabytes(size)}, and the limit is ${megabytes(LIMITS.packagePartBytes)}`,
      )
    if (size > LIMITS.packageRatioFrom && size > packedSize * LIMITS.packageRatio)
      return tooLarge(
        `its part ${name} unpacks to ${megabytes(size)}, ${Math.round(size / Math.max(packedSize, 1))} times its packed size, and the limit is ${LIMITS.packageRatio} times`,
      )
  }
  if (total > LIMITS.packageBytes)
    return tooLarge(
      `it unpacks to ${megabytes(total)}, and the limit is ${megabytes(LIMITS.packageBytes)}`,
    )
  return undefined
}

function findOverlap(entries: readonly ZipEntry[], directory: ZipDirectory): Refusal | undefined {
  const byStart = [...entries].sort((a, b) => a.start - b.start)
  for (const [index, entry] of byStart.entries()) {
    const limit = byStart[index + 1]?.start ?? directory.start
    if (entry.end > limit)
      return broken(
        `the parts ${entry.name} and ${byStart[index + 1]?.name ?? 'the directory'} overlap`,
      )
  }
  return undefined
}

export function broken(found: string): Refusal {
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot open the file as an Office package: ${found}. Ask for an undamaged copy of it.`,
  )
}

export function tooLarge(found: string): Refusal {
  return fail(
    'TOO_LARGE',
    `Cannot open the file: ${found}. It is refused before it is unpacked; ask for a smaller file.`,
  )
}

/** Refuses before they are read one by one. */
export function findTooMany(
  bytes: Uint8Array,
  mark: string,
  { what, limit }: { readonly what: string; readonly limit: number },
): Refusal | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let count = 0
  for (let at = buffer.indexOf(mark); at >= 0; at = buffer.indexOf(mark, at + mark.length))
    if (++count > limit) {
      const most = limit.toLocaleString('en')
      return fail('TOO_LARGE', `Cannot open the file: it has more than ${most} ${what}.`)
    }
  return undefined
}

function encryptedEntry(name: string): Refusal {
  return fail(
    'ENCRYPTED',
    `Cannot open the file: its part ${name} is encrypted inside the zip. Ask for a copy without a password.`,
  )
}

/**
 * Names are UTF-8 in practice, flagged or not; otherwise latin1 keeps them distinct. Some writers separate folders with
 * a backslash: unchanged entries keep it in their own bytes.
 */
function decodeName(raw: Uint8Array): string {
  const buffer = Buffer.from(raw.buffer, raw.byteOffset, raw.length)
  const text = buffer.toString('utf8')
  return (text.includes('\ufffd') ? buffer.toString('latin1') : text).replaceAll('\\', '/')
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function megabytes(size: number): string {
  return `${Math.round(size / 1024 / 1024)} MB`
}
