import { crc32, deflateRawSync } from 'node:zlib'

/** A zip writer for tests that can write false sizes and checksums on request. */
export interface TestEntry {
  readonly name: string
  readonly data: string | Uint8Array
  readonly localName?: string
  readonly declaredSize?: number
  readonly crc?: number
  readonly flags?: number
}

export interface TestZip {
  readonly descriptor?: boolean
  readonly zip64?: boolean
  readonly comment?: string
  readonly prefix?: number
  /** Whether offsets count the bytes in front. */
  readonly prefixCounted?: boolean
  /** Bytes between entries. */
  readonly gap?: number
}

export function buildZip(entries: readonly TestEntry[], options: TestZip = {}): Uint8Array {
  const pieces: Buffer[] = []
  const central: Buffer[] = []
  let length = 0
  const add = (bytes: Buffer) => {
    pieces.push(bytes)
    length += bytes.length
  }
  add(Buffer.alloc(options.prefix ?? 0, 0x2a))
  const shift = options.prefixCounted ? 0 : length
  for (const entry of entries) {
    const data = Buffer.from(entry.data as string)
    const packed = deflateRawSync(data)
    const crc = entry.crc ?? crc32(data)
    const size = entry.declaredSize ?? data.length
    const flags = (entry.flags ?? 0) | (options.descriptor ? 8 : 0)
    const offset = length - shift
    const name = Buffer.from(entry.name)
    const localName = Buffer.from(entry.localName ?? entry.name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(flags, 6)
    local.writeUInt16LE(8, 8)
    if (!options.descriptor) {
      local.writeUInt32LE(crc, 14)
      local.writeUInt32LE(packed.length, 18)
      local.writeUInt32LE(size, 22)
    }
    local.writeUInt16LE(localName.length, 26)
    add(local)
    add(localName)
    add(packed)
    if (options.descriptor) add(descriptor(crc, packed.length, size, options.zip64 === true))
    add(Buffer.alloc(options.gap ?? 0))
    central.push(
      centralRecord(
        name,
        { flags, crc, packed: packed.length, size, offset },
        options.zip64 === true,
      ),
    )
  }
  const start = length
  for (const record of central) add(record)
  const size = length - start
  if (options.zip64)
    addEnd64(add, () => length, { count: entries.length, size, offset: start - shift, shift })
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(options.zip64 ? 0xffff : Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(options.zip64 ? 0xffff : Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(options.zip64 ? 0xffffffff : size, 12)
  end.writeUInt32LE(options.zip64 ? 0xffffffff : start - shift, 16)
  end.writeUInt16LE(options.comment?.length ?? 0, 20)
  add(end)
  add(Buffer.from(options.comment ?? ''))
  return Uint8Array.from(Buffer.concat(pieces))
}

function centralRecord(
  name: Buffer,
  entry: { flags: number; crc: number; packed: number; size: number; offset: number },
  zip64: boolean,
): Buffer {
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(20, 4)
  record.writeUInt16LE(20, 6)
  record.writeUInt16LE(entry.flags, 8)
  record.writeUInt16LE(8, 10)
  record.writeUInt32LE(entry.crc, 16)
  record.writeUInt32LE(zip64 ? 0xffffffff : entry.packed, 20)
  record.writeUInt32LE(zip64 ? 0xffffffff : entry.size, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(zip64 ? 28 : 0, 30)
  record.writeUInt32LE(zip64 ? 0xffffffff : entry.offset, 42)
  if (!zip64) return Buffer.concat([record, name])
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  extra.writeBigUInt64LE(BigInt(entry.size), 4)
  extra.writeBigUInt64LE(BigInt(entry.packed), 12)
  extra.writeBigUInt64LE(BigInt(entry.offset), 20)
  return Buffer.concat([record, name, extra])
}

function descriptor(crc: number, packed: number, size: number, zip64: boolean): Buffer {
  const bytes = Buffer.alloc(zip64 ? 24 : 16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  if (zip64) {
    bytes.writeBigUInt64LE(BigInt(packed), 8)
    bytes.writeBigUInt64LE(BigInt(size), 16)
  } else {
    bytes.writeUInt32LE(packed, 8)
    bytes.writeUInt32LE(size, 12)
  }
  return bytes
}

function addEnd64(
  add: (bytes: Buffer) => void,
  length: () => number,
  end: { count: number; size: number; offset: number; shift: number },
): void {
  const record = Buffer.alloc(56)
  const at = length() - end.shift
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(end.count), 24)
  record.writeBigUInt64LE(BigInt(end.count), 32)
  record.writeBigUInt64LE(BigInt(end.size), 40)
  record.writeBigUInt64LE(BigInt(end.offset), 48)
  add(record)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at), 8)
  locator.writeUInt32LE(1, 16)
  add(locator)
}
