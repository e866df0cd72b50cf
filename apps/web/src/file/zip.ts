/** A file to pack. */
export interface ZipFile {
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const UTF8 = 0x0800 // names are UTF-8
const DAY = 0x21 // 1 January 1980: the least that a zip can say
const VERSION = 20

/** A zip archive without compression (PKWARE APPNOTE 4.3): office files and pictures are packed already. */
export function toZip(files: readonly ZipFile[]): Blob {
  const parts: BlobPart[] = []
  const central: BlobPart[] = []
  let offset = 0
  let centralSize = 0
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path)
    const about = [VERSION, UTF8, 0, 0, DAY]
    const sizes = [crc32(bytes), bytes.length, bytes.length]
    const local = header(LOCAL, about, sizes, [name.length, 0])
    parts.push(local, name, bytes)
    const entry = header(
      CENTRAL,
      [VERSION, ...about],
      sizes,
      [name.length, 0, 0, 0, 0, 0, 0],
      offset,
    )
    central.push(entry, name)
    centralSize += entry.length + name.length
    offset += local.length + name.length + bytes.length
  }
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, END, true)
  end.setUint16(8, files.length, true)
  end.setUint16(10, files.length, true)
  end.setUint32(12, centralSize, true)
  end.setUint32(16, offset, true)
  return new Blob([...parts, ...central, end.buffer], { type: 'application/zip' })
}

/** A signature, then words of two bytes, of four, of two, and of four again. */
function header(
  signature: number,
  about: readonly number[],
  sizes: readonly number[],
  lengths: readonly number[],
  ...offsets: readonly number[]
): Uint8Array<ArrayBuffer> {
  const short = (values: readonly number[]) => values.map(value => [value, 2] as const)
  const long = (values: readonly number[]) => values.map(value => [value, 4] as const)
  const fields = [
    ...long([signature]),
    ...short(about),
    ...long(sizes),
    ...short(lengths),
    ...long(offsets),
  ]
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)))
  let at = 0
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return new Uint8Array(view.buffer)
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
