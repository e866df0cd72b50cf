import type { HeldBase } from '../apply/checkpoints.ts'
import { type Folder, isErrno, type NewFile, type OpenFile } from '../workspace/paths/folder.ts'

/** The copies of old bytes in a folder of checkpoints. */
export interface BaseFiles {
  /** All small ones in one file: it costs one sync, however many they are. */
  write(id: string, bases: readonly HeldBase[]): Promise<void>
  nameOf(id: string, index: number): string
  create(id: string, index: number): Promise<NewFile>
  has(id: string, index: number): Promise<boolean>
  open(id: string, index: number): Promise<OpenFile | null>
  remove(id: string, indices: Iterable<number>): Promise<void>
}

/** Its first line says how long each is: `[[index, bytes], …]`. */
type Lengths = readonly (readonly [index: number, sizeBytes: number])[]

const FIRST_READ = 64 * 1024
const NEWLINE = 0x0a

export function createBaseFiles(folder: Folder): BaseFiles {
  const packName = (id: string) => `${id}.bases`
  const nameOf = (id: string, index: number) => `${id}.${index}.base`

  async function createAnew(name: string): Promise<NewFile> {
    try {
      return await folder.createFile(name, { mode: 0o600 })
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
      await folder.remove(name) // of a try that a crash cut off
      return folder.createFile(name, { mode: 0o600 })
    }
  }

  async function removeIfThere(name: string): Promise<void> {
    await folder.remove(name).catch(ignoreMissing)
  }

  async function findInPack(id: string, index: number): Promise<OpenFile | null> {
    const pack = await folder.openFile(packName(id)).catch(ignoreMissing)
    if (!pack) return null
    const place = findPlace(await readLengths(pack), index)
    if (place) return toPart(pack, place.start, place.end)
    pack.close()
    return null
  }

  return {
    nameOf,
    create: (id, index) => createAnew(nameOf(id, index)),
    async write(id, bases) {
      if (bases.length === 0) return
      const lengths: Lengths = bases.map(({ index, bytes }) => [index, bytes.length])
      const pack = await createAnew(packName(id))
      try {
        await pack.write([toHead(lengths), ...bases.map(({ bytes }) => bytes)])
        await pack.sync()
      } finally {
        pack.close()
      }
    },
    async has(id, index) {
      const found = await this.open(id, index)
      found?.close()
      return found !== null
    },
    open: async (id, index) =>
      (await findInPack(id, index)) ??
      (await folder.openFile(nameOf(id, index)).catch(ignoreMissing)),
    async remove(id, indices) {
      await removeIfThere(packName(id))
      for (const index of indices) await removeIfThere(nameOf(id, index))
    },
  }
}

function toHead(lengths: Lengths): Uint8Array {
  return Buffer.from(`${JSON.stringify(lengths)}\n`)
}

async function readLengths(pack: OpenFile): Promise<Lengths> {
  for (let size = FIRST_READ; ; size *= 4) {
    const head = Buffer.from(await pack.read(0, size))
    const end = head.indexOf(NEWLINE)
    if (end >= 0) return JSON.parse(head.toString('utf8', 0, end)) as Lengths
    if (head.length < size) return [] // torn: nothing relied on it
  }
}

function findPlace(lengths: Lengths, index: number): { start: number; end: number } | undefined {
  let start = toHead(lengths).length
  for (const [of, sizeBytes] of lengths) {
    if (of === index) return { start, end: start + sizeBytes }
    start += sizeBytes
  }
  return undefined
}

function toPart(pack: OpenFile, from: number, to: number): OpenFile {
  return {
    status: { ...pack.status, sizeBytes: to - from },
    read: (start, length, allocate) =>
      pack.read(from + start, Math.max(0, Math.min(length, to - from - start)), allocate),
    close: () => pack.close(),
  }
}

function ignoreMissing(error: unknown): null {
  if (isErrno(error, 'ENOENT')) return null
  throw error
}
