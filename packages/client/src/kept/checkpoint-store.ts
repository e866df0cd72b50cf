import type { ChangeSetId } from '@filewright/protocol'
import type { Checkpoint, CheckpointStore, Displaced } from '../apply/checkpoints.ts'
import {
  type Folder,
  isErrno,
  type OpenFile,
  readPieces,
  readWhole,
} from '../workspace/paths/folder.ts'
import { createBaseFiles } from './base-files.ts'
import { createHeldFiles } from './held-files.ts'

/**
 * One flat folder: `<change set>.json` describes a checkpoint, `<change set>.bases` has the old bytes of its files,
 * `<change set>.<n>.base` those of a large one, `<change set>.<n>.kept` the old file n itself, `….displaced` and
 * `….displaced.json` the bytes that other programs wrote in between.
 */
export function createCheckpointStore(folder: Folder): CheckpointStore {
  const bases = createBaseFiles(folder)
  const held = createHeldFiles()

  async function takeOver(
    from: Folder,
    name: string,
    to: string,
    isCopied = async () => false,
  ): Promise<void> {
    const status = await from.statusOf(name)
    if (status === null) return // taken over before a crash
    const hasOtherNames = status.links > 1 // a write to one of them must not reach the checkpoint
    if (!hasOtherNames && (await move(from, name, to))) return
    if (!hasOtherNames) await held.hold(to, from, name)
    if (!(await isCopied())) {
      await copy(from, name, to)
      await folder.sync() // durable here before it is removed there
    }
    await from.remove(name)
  }

  /** False when it is on another disk. */
  async function move(from: Folder, name: string, to: string): Promise<boolean> {
    try {
      await from.rename(name, folder, to)
      return true
    } catch (error) {
      if (isErrno(error, 'EXDEV')) return false
      throw error
    }
  }

  async function copy(from: Folder, name: string, to: string): Promise<void> {
    const source = await from.openFile(name)
    try {
      await write(to, readPieces(source))
    } finally {
      source.close()
    }
  }

  /** The file gets its name only once it is complete and durable. */
  async function write(
    name: string,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const part = `${name}.part`
    if ((await folder.statusOf(part)) !== null) await folder.remove(part)
    const file = await folder.createFile(part, { mode: 0o600 })
    try {
      for await (const piece of pieces) await file.write([piece])
      await file.sync()
    } finally {
      file.close()
    }
    await folder.rename(part, folder, name)
  }

  /** Null for a damaged one too: the others must still be found. */
  async function readJson<Value>(name: string): Promise<Value | null> {
    const file = await openIfThere(name)
    if (file === null) return null
    const bytes = await readWhole(file).finally(() => file.close())
    try {
      return JSON.parse(Buffer.from(bytes).toString('utf8')) as Value
    } catch {
      return null
    }
  }

  async function openIfThere(name: string): Promise<OpenFile | null> {
    try {
      return await folder.openFile(name)
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return null
      throw error
    }
  }

  async function readAll<Value>(ending: RegExp): Promise<Value[]> {
    const names = (await folder.entries())
      .map(entry => entry.name)
      .filter(name => ending.test(name))
    const values = await Promise.all(names.map(name => readJson<Value>(name)))
    return values.filter(value => value !== null) as Value[]
  }

  async function removeIfThere(name: string): Promise<void> {
    try {
      await folder.remove(name)
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error
    }
  }

  const noteDisplaced = (displaced: Displaced) =>
    write(`${displacedName(displaced)}.json`, [toJson(displaced)])

  return {
    placeOf: (id, index) => ({ folder, name: keptName(id, index) }),

    keepBases: (id, held) => bases.write(checkedId(id), held),
    basePlaceOf: (id, index) => ({ folder, name: bases.nameOf(checkedId(id), index) }),
    createBase: (id, index) => bases.create(checkedId(id), index),
    dropBases: (id, indices) => bases.remove(checkedId(id), indices),

    async keep(id, index, from, name) {
      await takeOver(from, name, keptName(id, index), () => bases.has(id, index))
    },

    noteDisplaced,

    async keepDisplaced(displaced, from, name) {
      await noteDisplaced(displaced)
      await takeOver(from, name, displacedName(displaced))
    },

    async keepCopy(displaced, bytes) {
      await noteDisplaced(displaced)
      await write(displacedName(displaced), bytes)
    },

    async record(checkpoint) {
      await write(recordName(checkpoint.changeSetId), [toJson(checkpoint)])
      await folder.sync()
    },

    sync: () => folder.sync(),

    get: async id => (isId(id) ? readJson<Checkpoint>(recordName(id)) : null), // a person may type anything

    async list() {
      const checkpoints = await readAll<Checkpoint>(/^[^.]+\.json$/)
      return checkpoints.sort(
        (a, b) => orderOf(b) - orderOf(a) || (a.changeSetId < b.changeSetId ? 1 : -1),
      )
    },

    displaced: () => readAll<Displaced>(/\.displaced\.json$/),

    // a deleted large file has no copy, nor has any of an older version
    open: async (id, index) =>
      (await bases.open(checkedId(id), index)) ?? openIfThere(keptName(id, index)),

    openDisplaced: displaced => openIfThere(displacedName(displaced)),

    async findOld(id, index) {
      const kept = keptName(id, index)
      const aside = `${id}.${index}.before.displaced`
      const file = held.find(kept) ?? held.find(aside)
      if (file) return { isHeld: true, file, known: await readJson<Displaced>(`${aside}.json`) }
      for (const name of [kept, aside]) {
        const status = await folder.statusOf(name)
        if (status?.kind !== 'file') continue
        const known = name === aside ? await readJson<Displaced>(`${aside}.json`) : null
        return { isHeld: false, place: { folder, name }, status, known }
      }
      return null
    },

    releaseOld: id => held.release(key => key.startsWith(`${id}.`)),

    async remove(id) {
      const checkpoint = await readJson<Checkpoint>(recordName(id))
      const indices = [...(checkpoint?.files.keys() ?? [])]
      for (const index of indices) await removeIfThere(keptName(id, index))
      await bases.remove(checkedId(id), indices)
      await removeIfThere(recordName(id))
    },

    async removeDisplaced(displaced) {
      await removeIfThere(displacedName(displaced))
      await removeIfThere(`${displacedName(displaced)}.json`)
    },
  }
}

function orderOf({ order, time }: Checkpoint): number {
  return order ?? time
}

function recordName(id: ChangeSetId): string {
  return `${checkedId(id)}.json`
}

function keptName(id: ChangeSetId, index: number): string {
  return `${checkedId(id)}.${index}.kept`
}

function displacedName({ changeSetId, index, was }: Displaced): string {
  return `${checkedId(changeSetId)}.${index}.${was}.displaced`
}

/** An id becomes a file name here, so it must not be a path. */
function checkedId(id: ChangeSetId): ChangeSetId {
  if (!isId(id)) throw new Error(`"${id}" is not the id of a change set`)
  return id
}

function isId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id)
}

function toJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}
