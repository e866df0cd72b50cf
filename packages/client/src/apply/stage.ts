import { createHash } from 'node:crypto'
import { type Content, contentLength, fail, pieces, type Sha256 } from '@filewright/protocol'
import {
  type FileAttributes,
  type Folder,
  type NewFile,
  type NodeStatus,
  PIECE_BYTES,
  readPieces,
} from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import { isKept, type KeptContent } from './change-set.ts'
import { ApplyStop, about, conflict } from './failures.ts'
import { forEachInTurn, sideBySide } from './in-turn.ts'
import type { PlannedFile } from './plan.ts'

const GROUP_FILES = 256 // a bound on open files
const GROUP_BYTES = 64 * 1024 * 1024 // … and on bytes that wait to be written out
const SYNCED_TOGETHER = 50 // on a disk with a journal the next file waits until those before are committed: few and large

/**
 * Writes every new content beside its target and makes it durable. The syncs of files already written run while the
 * next ones are made: syncs that wait at the same time share a commit of the disk's journal, and a sync is where most
 * disks find room for the bytes. Large bases are compared on the way, so that they are read once.
 */
export async function stageAll(files: readonly PlannedFile[], tree: Tree): Promise<Staged> {
  const staged = new Map<number, NodeStatus>()
  let group = new Group()
  try {
    await forEachInTurn(files, async file => {
      if (file.wanted.content === null) await about(file.path, compareLarge(file, tree))
      else group.add(await about(file.path, stageOne(file, tree)))
      if (!group.isFull) return
      await group.finish(staged)
      group = new Group()
    })
    // their names too: a staged file that is missing after a crash means that its swap had not begun
    await sideBySide(group.finish(staged), syncNames(files, tree))
    return staged
  } finally {
    await group.close()
  }
}

async function syncNames(files: readonly PlannedFile[], tree: Tree): Promise<void> {
  const folders = new Set(files.map(file => file.tempIn))
  await sideBySide(...[...folders].map(async path => (await tree.folder(path)).sync()))
}

/** Written files, synced in parallel. */
class Group {
  readonly #files: Written[] = []
  readonly #syncs: Promise<void>[] = []
  #bytes = 0

  get isFull(): boolean {
    return this.#files.length >= GROUP_FILES || this.#bytes >= GROUP_BYTES
  }

  add(written: Written): void {
    this.#files.push(written)
    const content = written.file.wanted.content!
    this.#bytes += isKept(content) ? GROUP_BYTES : contentLength(content)
    if (this.#files.length - this.#syncs.length >= SYNCED_TOGETHER) this.#startSyncs()
  }

  /** Checks written files while the disk is busy with them. */
  async finish(into: Map<number, NodeStatus>): Promise<void> {
    this.#startSyncs()
    await forEachInTurn(this.#files, async ({ file, staged }) => {
      into.set(file.index, await staged.status())
    })
    await Promise.all(this.#syncs)
    await this.close()
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#syncs) // none may be in flight when its file is closed
    for (const { staged } of this.#files.splice(0)) staged.close()
  }

  #startSyncs(): void {
    for (const { file, staged } of this.#files.slice(this.#syncs.length)) {
      const sync = about(file.path, staged.sync())
      sync.catch(() => {}) // `finish` reports it; a file that cannot even be made comes first
      this.#syncs.push(sync)
    }
  }
}

interface Written {
  readonly file: PlannedFile
  readonly staged: NewFile
}

/** The status of each file once it was completely written, by index. */
export type Staged = ReadonlyMap<number, NodeStatus>

const NO_BYTES = new Uint8Array()

/** Null: too large to hold. */
function baseOf({ status, base }: Pick<PlannedFile, 'status' | 'base'>): Uint8Array | null {
  return status === null ? NO_BYTES : base
}

async function stageOne(file: PlannedFile, tree: Tree): Promise<Written> {
  const folder = await tree.folder(file.tempIn)
  // a file staged above its folder cannot have that folder created either
  const refused = file.tempIn === file.folderPath ? file.path : file.folderPath
  const created = folder.createFile(file.temp.staged, attributesOf(file))
  const staged = await about(refused, created)
  try {
    await writeContent(file, tree, staged)
    await staged.stamp()
    return { file, staged }
  } catch (error) {
    staged.close()
    throw error
  }
}

function attributesOf({ status, attributes }: PlannedFile): FileAttributes | undefined {
  return attributes ? { ...status, ...attributes } : (status ?? undefined)
}

async function writeContent(file: PlannedFile, tree: Tree, staged: NewFile): Promise<void> {
  const content = file.wanted.content!
  const base = baseOf(file)
  if (isKept(content)) {
    await compareLarge(file, tree)
    await syncingEarly(staged, to => copyKept(content, to))
  } else if (base) await staged.write([...pieces(content, base)])
  else {
    const folder = await tree.folder(file.folderPath)
    await syncingEarly(staged, to => writeSlices(file, content, folder, to))
  }
}

type Write = NewFile['write']

const EARLY_BYTES = 16 * 1024 * 1024

/** A large file is written out while the rest of it is still read and hashed, so that its sync has little left to do. */
async function syncingEarly(staged: NewFile, write: (to: Write) => Promise<void>): Promise<void> {
  let unsynced = 0
  let failed: unknown
  let syncing: Promise<void> | null = null
  try {
    await write(async pieces => {
      await staged.write(pieces)
      for (const piece of pieces) unsynced += piece.length
      if (unsynced < EARLY_BYTES || syncing) return
      unsynced = 0
      syncing = staged
        .sync()
        .catch(error => void (failed ??= error)) // a disk reports it once: the last sync may not know of it
        .finally(() => void (syncing = null))
    })
  } finally {
    await syncing
  }
  if (failed !== undefined) throw failed
}

async function copyKept(content: KeptContent, write: Write): Promise<void> {
  const kept = await content.open()
  try {
    for await (const piece of readPieces(kept)) await write([piece])
  } finally {
    kept.close()
  }
}

/** Copies the slices and hashes the whole base in one pass when they are in its order, as they nearly always are. */
async function writeSlices(
  file: PlannedFile,
  content: Content,
  folder: Folder,
  write: Write,
): Promise<void> {
  const base = await folder.openFile(file.name)
  const hash = createHash('sha256')
  let hashed = 0
  let isShort = false
  let reading = null as Promise<Uint8Array> | null
  // one is read into while the other is written and hashed
  const buffers = [
    Buffer.allocUnsafeSlow(PIECE_BYTES),
    Buffer.allocUnsafeSlow(PIECE_BYTES),
  ] as const
  let turn = 0
  const allocate = (length: number) => buffers[turn++ % 2]!.subarray(0, length)
  try {
    for (const slice of content) {
      if (slice.from === 'inline') await write([slice.bytes])
      else {
        await pass(hashed, slice.start, null)
        await pass(slice.start, slice.end, write)
      }
    }
    await pass(hashed, Number.POSITIVE_INFINITY, null)
  } finally {
    await reading?.catch(() => {}) // a descriptor is never closed under a read
    base.close()
  }
  compare(file, hash.digest('hex') as Sha256)
  if (isShort) throw beyondBase(file, hashed)

  /** Reads the next piece while this one is written and hashed. */
  async function pass(start: number, end: number, to: Write | null): Promise<void> {
    let at = start
    const readOn = () =>
      at < end ? base.read(at, Math.min(PIECE_BYTES, end - at), allocate) : null
    reading = readOn()
    while (reading) {
      const piece: Uint8Array = await reading
      if (piece.length === 0) break
      const isNew = at + piece.length > hashed
      const fresh = isNew ? piece.subarray(Math.max(0, hashed - at)) : null
      at += piece.length
      reading = readOn()
      const writing = to?.([piece])
      if (fresh) {
        hash.update(fresh)
        hashed = at
      }
      await writing
    }
    if (to && at < end) isShort = true
  }
}

async function compareLarge(file: PlannedFile, tree: Tree): Promise<void> {
  if (file.status === null || file.base) return
  const folder = await tree.folder(file.folderPath)
  compare(file, (await folder.digest(file.name)).sha256)
}

function compare({ wanted: { docPath, path, base } }: PlannedFile, found: Sha256): void {
  if (found === base) return
  throw new ApplyStop(
    conflict([{ docPath, path, expected: base, found, why: 'changed since it was read' }]),
  )
}

function beyondBase({ path }: PlannedFile, sizeBytes: number): ApplyStop {
  return new ApplyStop(
    fail(
      'INVALID_ARGUMENT',
      `Nothing was written: the change to "${path}" takes bytes past its end, at ${sizeBytes}.`,
    ),
  )
}
