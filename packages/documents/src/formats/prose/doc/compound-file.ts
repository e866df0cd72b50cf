import { Buffer } from 'node:buffer'

const MAGIC = 'd0cf11e0a1b11ae1'
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const NONE = 0xfffffffa // from here on a number is not that of a sector
const FAT_IN_HEADER = 109
const MOST_ENTRIES = 65_536
const [STORAGE_ROOT, STREAM] = [5, 2]

/** The streams at the top of a compound file, which is a file system in a file. */
export interface CompoundFile {
  readonly names: readonly string[]
  /** Undefined where there is none, or where its chain of sectors is broken. */
  stream(name: string): Buffer | undefined
}

interface Entry {
  readonly name: string
  readonly type: number
  readonly links: readonly [left: number, right: number, child: number]
  readonly start: number
  readonly size: number
}

export function isCompoundFile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString('hex') === MAGIC
}

/** Undefined for a file whose tables lead nowhere. Every chain is as long as the file at most. */
export function openCompoundFile(bytes: Uint8Array): CompoundFile | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!isCompoundFile(bytes) || file.length < HEADER_BYTES) return undefined
  const shift = file.readUInt16LE(30)
  const miniShift = file.readUInt16LE(32)
  if ((shift !== 9 && shift !== 12) || miniShift !== 6) return undefined
  const fat = readFat(file, shift)
  const large = fat && { data: file.subarray(2 ** shift), shift, next: fat }
  const directory = large && readChain(large, file.readUInt32LE(48))
  const entries = directory && readEntries(directory)
  const root = entries?.[0]
  if (!large || !entries || root?.type !== STORAGE_ROOT) return undefined
  const streams = new Map(childrenOf(entries).map(entry => [entry.name, entry]))
  const cutoff = file.readUInt32LE(56)
  const small = {
    data: readChain(large, root.start) ?? Buffer.alloc(0),
    shift: miniShift,
    next: toNumbers(readChain(large, file.readUInt32LE(60)) ?? Buffer.alloc(0)),
  }
  return {
    names: [...streams.keys()],
    stream(name) {
      const entry = streams.get(name)
      if (entry?.type !== STREAM) return undefined
      const whole = readChain(entry.size < cutoff ? small : large, entry.start)
      return whole && whole.length >= entry.size ? whole.subarray(0, entry.size) : undefined
    },
  }
}

/** Sectors of one size, and which follows which. */
interface Sectors {
  readonly data: Buffer
  readonly shift: number
  readonly next: Uint32Array
}

function readChain({ data, shift, next }: Sectors, start: number): Buffer | undefined {
  const size = 2 ** shift
  const most = Math.ceil(data.length / size)
  const parts: Buffer[] = []
  for (let sector = start; sector < NONE; sector = next[sector] ?? NONE) {
    if (sector >= most || parts.length >= most) return undefined // outside, or a circle
    parts.push(data.subarray(sector * size, (sector + 1) * size))
  }
  return Buffer.concat(parts)
}

/** The table of the sectors' successors, from the list of its own sectors. */
function readFat(file: Buffer, shift: number): Uint32Array | undefined {
  const size = 2 ** shift
  const sectorAt = (sector: number) => file.subarray((sector + 1) * size, (sector + 2) * size)
  const most = Math.ceil(file.length / size)
  const list = [...toNumbers(file.subarray(76, 76 + 4 * FAT_IN_HEADER))]
  let further = file.readUInt32LE(68)
  for (let seen = 0; further < NONE; seen++) {
    if (further >= most || seen > most) return undefined
    const numbers = toNumbers(sectorAt(further))
    for (const sector of numbers.subarray(0, -1)) list.push(sector)
    further = numbers.at(-1) ?? NONE
  }
  const own = list.filter(sector => sector < NONE)
  if (own.length > most || own.some(sector => sector >= most)) return undefined
  return toNumbers(Buffer.concat(own.map(sectorAt)))
}

function toNumbers(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(bytes.length >> 2)
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readUInt32LE(4 * i)
  return numbers
}

function readEntries(directory: Buffer): Entry[] {
  const count = Math.min(MOST_ENTRIES, Math.floor(directory.length / ENTRY_BYTES))
  return Array.from({ length: count }, (_, index): Entry => {
    const at = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES)
    const nameBytes = Math.max(0, Math.min(64, at.readUInt16LE(64)) - 2)
    return {
      name: at.toString('utf16le', 0, nameBytes),
      type: at[66]!,
      links: [at.readUInt32LE(68), at.readUInt32LE(72), at.readUInt32LE(76)],
      start: at.readUInt32LE(116),
      size: at.readUInt32LE(120),
    }
  })
}

/** Of the root alone: a file that is embedded in this one has streams of the same names. */
function childrenOf(entries: readonly Entry[]): Entry[] {
  const found = new Set<Entry>()
  const waiting = [entries[0]!.links[2]]
  while (waiting.length > 0) {
    const entry = entries[waiting.pop()!]
    if (!entry || found.has(entry)) continue
    found.add(entry)
    waiting.push(entry.links[0], entry.links[1])
  }
  return [...found]
}
