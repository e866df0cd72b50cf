import type { Content, Slice } from '@filewright/protocol'
import { checksum, deflate } from './inflate.ts'
import {
  DEFLATED,
  FLAG_DESCRIPTOR,
  FLAG_UTF8,
  findExtra,
  STORED,
  viewOf,
  type ZipArchive,
  type ZipEntry,
} from './zip.ts'

/**
 * The new state of a zip: new bytes of parts by name, null for a part to remove. An unknown name is added at the end.
 */
export type ZipEdits = ReadonlyMap<string, Uint8Array | null>

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const VERSION = 20
const DOS_DATE = 0x0021 // 1980-01-01, as Office writes it; avoids the clock
const UNKNOWN32 = 0xffffffff

/**
 * Every untouched entry is a slice of the archive: header, extra fields, packed bytes, descriptor and anything after
 * it. Only changed entries are packed again.
 */
export function zipContent(archive: ZipArchive, edits: ZipEdits): Content {
  if (edits.size === 0) return [{ from: 'base', start: 0, end: archive.bytes.length }]
  const { directory, bytes } = archive
  const out = new ContentWriter()
  const central = new Map<ZipEntry, Placed>()
  const byStart = [...archive.entries].sort((a, b) => a.start - b.start)
  out.copy(0, byStart[0]?.start ?? directory.start)
  for (const [index, entry] of byStart.entries()) {
    const next = byStart[index + 1]?.start ?? directory.start
    const edit = edits.get(entry.name)
    if (edit === null) continue
    const start = out.length
    if (edit === undefined) {
      out.copy(entry.start, next)
      central.set(entry, { start })
      continue
    }
    const packed = pack(edit, entry.method)
    out.add(rewriteLocal(bytes, entry, packed))
    out.add(packed.data)
    out.copy(entry.end, next)
    central.set(entry, { start, packed })
  }
  const added = addEntries(archive, edits, out)
  const directoryStart = out.length
  for (const entry of archive.entries) {
    const placed = central.get(entry)
    if (placed) out.add(rewriteCentral(bytes, entry, placed, directory.shift))
  }
  for (const { record, start } of added) out.add(patchOffset(record, start - directory.shift))
  writeEnd(archive, out, directoryStart, central.size + added.length)
  return out.slices
}

interface Packed {
  readonly method: number
  readonly data: Uint8Array
  readonly crc: number
  readonly size: number
}

interface Placed {
  readonly start: number
  readonly packed?: Packed
}

function pack(bytes: Uint8Array, method: number): Packed {
  const data = method === STORED ? bytes : deflate(bytes)
  return {
    method: method === STORED ? STORED : DEFLATED,
    data,
    crc: checksum(bytes),
    size: bytes.length,
  }
}

/** Same name, flags and extra fields; sizes are known, so no descriptor and no zip64 field. */
function rewriteLocal(bytes: Uint8Array, entry: ZipEntry, packed: Packed): Uint8Array {
  const view = viewOf(bytes)
  const nameEnd = entry.start + 30 + view.getUint16(entry.start + 26, true)
  const extra = withoutZip64(bytes, nameEnd, entry.dataStart)
  const header = joined(bytes.subarray(entry.start, nameEnd), extra)
  const own = viewOf(header)
  own.setUint16(6, own.getUint16(6, true) & ~FLAG_DESCRIPTOR, true)
  own.setUint16(8, packed.method, true)
  own.setUint32(14, packed.crc, true)
  own.setUint32(18, packed.data.length, true)
  own.setUint32(22, packed.size, true)
  own.setUint16(28, extra.length, true)
  return header
}

function rewriteCentral(
  bytes: Uint8Array,
  entry: ZipEntry,
  placed: Placed,
  shift: number,
): Uint8Array {
  const { start, end } = entry.central
  const view = viewOf(bytes)
  if (!placed.packed) return patchOffset(copied(bytes, start, end), placed.start - shift)
  const nameEnd = start + 46 + view.getUint16(start + 28, true)
  const extraEnd = nameEnd + view.getUint16(start + 30, true)
  const extra = withoutZip64(bytes, nameEnd, extraEnd)
  const record = joined(bytes.subarray(start, nameEnd), extra, bytes.subarray(extraEnd, end))
  const own = viewOf(record)
  own.setUint16(8, own.getUint16(8, true) & ~FLAG_DESCRIPTOR, true)
  own.setUint16(10, placed.packed.method, true)
  own.setUint32(16, placed.packed.crc, true)
  own.setUint32(20, placed.packed.data.length, true)
  own.setUint32(24, placed.packed.size, true)
  own.setUint16(30, extra.length, true)
  own.setUint32(42, placed.start - shift, true)
  return record
}

/** Writes the offset into the record: its fixed part, or last in its zip64 field. */
function patchOffset(record: Uint8Array, offset: number): Uint8Array {
  const view = viewOf(record)
  if (view.getUint32(42, true) !== UNKNOWN32) {
    view.setUint32(42, offset, true)
    return record
  }
  const nameEnd = 46 + view.getUint16(28, true)
  const field = findExtra(view, nameEnd, nameEnd + view.getUint16(30, true), 1)
  const before =
    (view.getUint32(24, true) === UNKNOWN32 ? 8 : 0) +
    (view.getUint32(20, true) === UNKNOWN32 ? 8 : 0)
  if (field) view.setBigUint64(field.start + before, BigInt(offset), true)
  return record
}

function withoutZip64(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const field = findExtra(viewOf(bytes), start, end, 1)
  if (!field) return copied(bytes, start, end)
  return joined(bytes.subarray(start, field.header), bytes.subarray(field.end, end))
}

function addEntries(archive: ZipArchive, edits: ZipEdits, out: ContentWriter) {
  const known = new Set(archive.entries.map(entry => entry.name))
  const added: { record: Uint8Array; start: number }[] = []
  for (const [name, bytes] of edits) {
    if (bytes === null || known.has(name)) continue
    const rawName = Buffer.from(name, 'utf8')
    const packed = pack(bytes, DEFLATED)
    added.push({ record: newCentral(rawName, packed), start: out.length })
    out.add(newLocal(rawName, packed))
    out.add(packed.data)
  }
  return added
}

function newLocal(name: Uint8Array, packed: Packed): Uint8Array {
  const header = new Uint8Array(30 + name.length)
  const view = viewOf(header)
  view.setUint32(0, LOCAL, true)
  writeCommon(view, 4, name, packed)
  header.set(name, 30)
  return header
}

function newCentral(name: Uint8Array, packed: Packed): Uint8Array {
  const record = new Uint8Array(46 + name.length)
  const view = viewOf(record)
  view.setUint32(0, CENTRAL, true)
  view.setUint16(4, VERSION, true)
  writeCommon(view, 6, name, packed)
  record.set(name, 46)
  return record
}

function writeCommon(view: DataView, at: number, name: Uint8Array, packed: Packed): void {
  view.setUint16(at, VERSION, true)
  view.setUint16(at + 2, name.some(byte => byte > 127) ? FLAG_UTF8 : 0, true)
  view.setUint16(at + 4, packed.method, true)
  view.setUint16(at + 8, DOS_DATE, true)
  view.setUint32(at + 10, packed.crc, true)
  view.setUint32(at + 14, packed.data.length, true)
  view.setUint32(at + 18, packed.size, true)
  view.setUint16(at + 22, name.length, true)
}

function writeEnd(archive: ZipArchive, out: ContentWriter, start: number, count: number): void {
  const { bytes, directory } = archive
  const size = out.length - start
  const tail = copied(bytes, directory.end, bytes.length)
  const view = viewOf(tail)
  if (directory.zip64) {
    const record = directory.zip64.record - directory.end
    view.setBigUint64(record + 24, BigInt(count), true)
    view.setBigUint64(record + 32, BigInt(count), true)
    view.setBigUint64(record + 40, BigInt(size), true)
    view.setBigUint64(record + 48, BigInt(start - directory.shift), true)
    const locator = directory.zip64.locator - directory.end
    view.setBigUint64(locator + 8, BigInt(out.length + record - directory.shift), true)
  }
  const end = directory.endRecord - directory.end
  const set32 = (at: number, value: number) => {
    if (!directory.zip64 || view.getUint32(at, true) !== UNKNOWN32) view.setUint32(at, value, true)
  }
  if (!directory.zip64 || view.getUint16(end + 8, true) !== 0xffff) {
    view.setUint16(end + 8, count, true)
    view.setUint16(end + 10, count, true)
  }
  set32(end + 12, size)
  set32(end + 16, start - directory.shift)
  out.add(tail)
}

/** A Buffer's own slice would be a view of the base. */
function copied(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes, start, end)
}

function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Slices in order; adjacent slices of the base are joined. */
class ContentWriter {
  readonly slices: Slice[] = []
  length = 0

  copy(start: number, end: number): void {
    if (end <= start) return
    const last = this.slices.at(-1)
    if (last?.from === 'base' && last.end === start)
      this.slices[this.slices.length - 1] = { ...last, end }
    else this.slices.push({ from: 'base', start, end })
    this.length += end - start
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.slices.push({ from: 'inline', bytes })
    this.length += bytes.length
  }
}
