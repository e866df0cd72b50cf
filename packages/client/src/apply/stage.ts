import { createHash } from 'node:crypto'
import { type Content, contentLength, fail, pieces, type Sha256 } from '@filewright/protocol'
import { isKept, type KeptContent } from '../change-set.ts'
import {
  type Folder,
  type NewFile,
  type NodeStatus,
  PIECE_BYTES,
  readPieces,
} from '../workspace/folder.ts'
import type { Tree } from '../workspace/local-path.ts'
import { ApplyStop, about, conflict } from './failures.ts'
import { forEachInTurn } from './in-turn.ts'
import type { PlannedFile } from './plan.ts'

const GROUP_FILES = 256 // a bound on open files
const GROUP_BYTES = 64 * 1024 * 1024 // … and on what waits to be written out

/**
 * Writes every new content beside its target and makes it durable. First all files of a group are written, then their
 * syncs run side by side: a sync between two writes would make the second wait for it. Large bases are compared on the
 * way, so that they are read once.
 */
export async function stageAll(files: readonly PlannedFile[], tree: Tree): Promise<Staged> {
  const staged = new Map<number, NodeStatus>()
  const group = new Map<PlannedFile, NewFile>()
  let bytes = 0
  try {
    await forEachInTurn(files, async file => {
      if (file.wanted.content === null) await about(file.path, compareLarge(file, tree))
      else {
        group.set(file, await about(file.path, stageOne(file, tree)))
        bytes += isKept(file.wanted.content) ? GROUP_BYTES : contentLength(file.wanted.content)
      }
      if (group.size < GROUP_FILES && bytes < GROUP_BYTES) return
      await syncGroup(group, staged)
      bytes = 0
    })
    await syncGroup(group, staged)
    // their names too: a staged file that is missing after a crash says that its swap had not begun
    const folders = new Set(files.map(file => file.tempIn))
    await Promise.all([...folders].map(async path => (await tree.folder(path)).sync()))
    return staged
  } finally {
    for (const file of group.values()) file.close()
  }
}

async function syncGroup(group: Map<PlannedFile, NewFile>, staged: Map<number, NodeStatus>) {
  const syncs = [...group].map(([{ path }, file]) => about(path, file.sync()))
  const settled = await Promise.allSettled(syncs) // none may be in flight when the files are closed
  for (const each of settled) if (each.status === 'rejected') throw each.reason
  for (const [{ index }, file] of group) {
    staged.set(index, await file.status())
    file.close()
  }
  group.clear()
}

/** What each staged file was when it became durable, by its index. */
export type Staged = ReadonlyMap<number, NodeStatus>

async function stageOne(file: PlannedFile, tree: Tree): Promise<NewFile> {
  const folder = await tree.folder(file.tempIn)
  // a file that is staged above its folder cannot have that folder made either
  const refused = file.tempIn === file.folderPath ? file.path : file.folderPath
  const created = folder.createFile(file.temp.staged, file.status ?? undefined)
  const staged = await about(refused, created)
  try {
    await writeContent(file, tree, staged)
    await staged.stamp()
    staged.writeOut()
    return staged
  } catch (error) {
    staged.close()
    throw error
  }
}

const NO_BYTES = new Uint8Array()

async function writeContent(file: PlannedFile, tree: Tree, staged: NewFile): Promise<void> {
  const content = file.wanted.content!
  if (isKept(content)) {
    await compareLarge(file, tree)
    await syncingEarly(staged, to => copyKept(content, to))
  } else if (file.status === null) await staged.write([...pieces(content, NO_BYTES)])
  else if (file.base) await staged.write([...pieces(content, file.base)])
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
        .catch(error => void (failed ??= error)) // a disk tells it once: the last sync may know nothing of it
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

/** Copies the slices and hashes the whole base in one pass where they stand in its order, as they nearly always do. */
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
      `Nothing was written: the change of "${path}" takes bytes beyond its end, at ${sizeBytes}.`,
    ),
  )
}
