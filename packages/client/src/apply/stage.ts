import { createHash } from 'node:crypto'
import { type Content, fail, type Sha256, toBytes } from '@filewright/protocol'
import { isKept } from '../change-set.ts'
import {
  type Folder,
  type NewFile,
  type NodeStatus,
  PIECE_BYTES,
  readPieces,
} from '../workspace/folder.ts'
import type { Tree } from '../workspace/local-path.ts'
import { ApplyStop, about, conflict } from './failures.ts'
import type { PlannedFile } from './plan.ts'

const SYNCS_IN_FLIGHT = 64 // more than any thread pool runs at once; a bound on open files

/**
 * Writes every new content beside its target and makes it durable; the syncs run side by side. Large bases are
 * compared on the way, so that they are read once.
 */
export async function stageAll(files: readonly PlannedFile[], tree: Tree): Promise<Staged> {
  const staged = new Map<number, NodeStatus>()
  const syncs = new Set<Promise<void>>()
  let failed: unknown
  try {
    for (const file of files) {
      if (failed !== undefined) break
      if (file.wanted.content === null) await about(file.path, compareLarge(file, tree))
      else {
        const written = await about(file.path, stageOne(file, tree))
        const sync = about(file.path, syncAndClose(written))
          .then(
            status => void staged.set(file.index, status),
            error => void (failed ??= error),
          )
          .finally(() => syncs.delete(sync))
        syncs.add(sync)
      }
      if (syncs.size >= SYNCS_IN_FLIGHT) await Promise.race(syncs)
    }
    // their names too: a staged file that is missing after a crash says that its swap had not begun
    const folders = new Set(files.map(file => file.tempIn))
    await Promise.all([...folders].map(async path => (await tree.folder(path)).sync()))
  } finally {
    await Promise.all(syncs) // nothing may still be in flight when the caller cleans up
  }
  if (failed !== undefined) throw failed
  return staged
}

/** What each staged file was when it became durable, by its index. */
export type Staged = ReadonlyMap<number, NodeStatus>

async function stageOne(file: PlannedFile, tree: Tree): Promise<NewFile> {
  const folder = await tree.folder(file.tempIn)
  const staged = await folder.createFile(file.temp.staged, file.status ?? undefined)
  try {
    await writeContent(file, tree, staged)
    return staged
  } catch (error) {
    staged.close()
    throw error
  }
}

async function writeContent(file: PlannedFile, tree: Tree, staged: NewFile): Promise<void> {
  const content = file.wanted.content!
  if (isKept(content)) {
    await compareLarge(file, tree)
    const kept = await content.open()
    try {
      for await (const piece of readPieces(kept)) await staged.write(piece)
    } finally {
      kept.close()
    }
  } else if (file.status === null) await writeInline(content, staged)
  else if (file.base) await staged.write(toBytes(content, file.base))
  else await writeSlices(file, content, await tree.folder(file.folderPath), staged)
}

async function writeInline(content: Content, staged: NewFile): Promise<void> {
  for (const slice of content) if (slice.from === 'inline') await staged.write(slice.bytes)
}

/** Copies the slices and hashes the whole base in one pass where they stand in its order, as they nearly always do. */
async function writeSlices(
  file: PlannedFile,
  content: Content,
  folder: Folder,
  staged: NewFile,
): Promise<void> {
  const base = await folder.openFile(file.name)
  const hash = createHash('sha256')
  let hashed = 0
  let reading = null as Promise<Uint8Array> | null
  try {
    for (const slice of content) {
      if (slice.from === 'inline') await staged.write(slice.bytes)
      else {
        await pass(hashed, slice.start, null)
        await pass(slice.start, slice.end, staged)
      }
    }
    await pass(hashed, Number.POSITIVE_INFINITY, null)
  } finally {
    await reading?.catch(() => {}) // a descriptor is never closed under a read
    base.close()
  }
  compare(file, hash.digest('hex') as Sha256)

  /** Reads the next piece while this one is written and hashed. */
  async function pass(start: number, end: number, to: NewFile | null): Promise<void> {
    let at = start
    const readOn = () => (at < end ? base.read(at, Math.min(PIECE_BYTES, end - at)) : null)
    reading = readOn()
    while (reading) {
      const piece: Uint8Array = await reading
      if (piece.length === 0) break
      const isNew = at + piece.length > hashed
      const fresh = isNew ? piece.subarray(Math.max(0, hashed - at)) : null
      at += piece.length
      reading = readOn()
      const writing = to?.write(piece)
      if (fresh) {
        hash.update(fresh)
        hashed = at
      }
      await writing
    }
    if (to && at < end) throw shortBase(file, at)
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

function shortBase({ path }: PlannedFile, sizeBytes: number): ApplyStop {
  return new ApplyStop(
    fail(
      'CONFLICT',
      `Nothing was written: "${path}" has ${sizeBytes} bytes, fewer than the change takes from it. Read it again.`,
    ),
  )
}

async function syncAndClose(file: NewFile): Promise<NodeStatus> {
  try {
    await file.sync()
    return await file.status()
  } finally {
    file.close()
  }
}
