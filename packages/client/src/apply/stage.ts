import { createHash } from 'node:crypto'
import { type Content, contentLength, fail, pieces, type Sha256 } from '@filewright/protocol'
import {
  type FileAttributes,
  type NewFile,
  type NodeStatus,
  PIECE_BYTES,
  readPieces,
} from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import type { BaseCopies, LargeBase } from './base-copies.ts'
import { isKept, type KeptContent } from './change-set.ts'
import { ApplyStop, about, conflict } from './failures.ts'
import { forEachInTurn, sideBySide } from './in-turn.ts'
import type { PlannedFile } from './plan.ts'

const GROUP_FILES = 256 // a bound on open files
const GROUP_BYTES = 64 * 1024 * 1024 // … and on bytes that wait to be written out
const SYNCED_TOGETHER = 50 // on a disk with a journal the next file waits until those before are committed: few and large

/**
 * Writes every new content next to its target and makes it durable. The syncs of files already written run while the
 * next ones are made: syncs that wait at the same time share a commit of the disk's journal, and a sync is where most
 * disks find room for the bytes. Large bases are compared on the way, so that they are read once.
 */
export async function stageAll(
  files: readonly PlannedFile[],
  ports: StagePorts,
): Promise<StagedFiles> {
  const { tree, note } = ports
  const staged = new Map<number, NodeStatus>()
  const warnings: string[] = []
  let group = new Group()
  try {
    await forEachInTurn(files, async file => {
      if (file.wanted.content === null) await about(file.path, compareDeleted(file, ports))
      else group.add(await about(file.path, stageOne(file, ports, warnings)))
      if (!group.isFull) return
      await group.finish(staged)
      group = new Group()
    })
    const finished = group.finish(staged)
    // their names too: a staged file that is missing after a crash means that its swap had not begun
    await sideBySide(finished, syncNames(files, tree), about('the journal', note(staged)))
    return { staged, warnings }
  } finally {
    await group.close()
  }
}

export interface StagePorts {
  readonly tree: Tree
  readonly copies: BaseCopies
  /** Called with every staged file while the disk is busy with the last of them. */
  readonly note: (staged: Staged) => Promise<void>
}

export interface StagedFiles {
  readonly staged: Staged
  readonly warnings: readonly string[]
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

  /** Tells each file's status before it waits for the disk. */
  finish(into: Map<number, NodeStatus>): Promise<void> {
    this.#startSyncs()
    for (const { file, staged } of this.#files) into.set(file.index, staged.status())
    return this.#end()
  }

  async #end(): Promise<void> {
    await Promise.all(this.#syncs)
    await this.close()
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#syncs) // none may be in flight when its file is closed
    for (const { staged, copy } of this.#files.splice(0)) {
      staged.close()
      copy?.close()
    }
  }

  #startSyncs(): void {
    for (const { file, staged, copy } of this.#files.slice(this.#syncs.length)) {
      const sync = about(file.path, sideBySide(staged.sync(), copy?.sync()))
      sync.catch(() => {}) // `finish` reports it; a file that cannot even be made comes first
      this.#syncs.push(sync)
    }
  }
}

interface Written {
  readonly file: PlannedFile
  readonly staged: NewFile
  /** Of a large base. */
  readonly copy: NewFile | null
}

/** The status of each file once it was completely written, by index. */
export type Staged = ReadonlyMap<number, NodeStatus>

const NO_BYTES = new Uint8Array()

function baseOf({ base }: PlannedFile): Uint8Array {
  return base ?? NO_BYTES
}

/** Its base is too large to hold. */
function isLarge({ status, base }: PlannedFile): boolean {
  return status !== null && base === null
}

async function stageOne(
  file: PlannedFile,
  { tree, copies }: StagePorts,
  warnings: string[],
): Promise<Written> {
  const folder = await tree.folder(file.tempIn)
  // a file staged above its folder cannot have that folder created either
  const refused = file.tempIn === file.folderPath ? file.path : file.folderPath
  const created = folder.createFile(file.temp.staged, attributesOf(file))
  const staged = await about(refused, created)
  let source: LargeBase | null = null
  try {
    if (file.status && !file.attributes) {
      const lost = await folder.copyAttributes(file.name, file.temp.staged)
      if (lost.length > 0) warnings.push(toLostWarning(file, lost))
    }
    source = isLarge(file) ? await copies(file, await tree.folder(file.folderPath)) : null
    await writeContent(file, source, staged)
    await staged.stamp()
    return { file, staged, copy: source?.copy ?? null }
  } catch (error) {
    staged.close()
    source?.copy?.close()
    throw error
  }
}

function toLostWarning({ path }: PlannedFile, lost: readonly string[]): string {
  return `The system did not allow "${path}" to keep these attributes: ${lost.join(', ')}.`
}

function attributesOf({ status, attributes }: PlannedFile): FileAttributes | undefined {
  return attributes ? { ...status, ...attributes } : (status ?? undefined)
}

/** `source`: of a large base. */
async function writeContent(
  file: PlannedFile,
  source: LargeBase | null,
  staged: NewFile,
): Promise<void> {
  const content = file.wanted.content!
  if (isKept(content)) {
    if (source) await writeSlices(file, [], source, async () => {})
    await syncingEarly([staged], to => copyKept(content, to))
  } else if (source) {
    const { copy } = source
    const both = copy ? [staged, copy] : [staged]
    await syncingEarly(both, to => writeSlices(file, content, source, to))
  } else await staged.write([...pieces(content, baseOf(file))])
}

type Write = NewFile['write']

const EARLY_BYTES = 16 * 1024 * 1024

/**
 * A large file is written out while the rest of it is still read and hashed, so that its sync has little left to do; so
 * is the copy of its base.
 */
async function syncingEarly(
  files: readonly NewFile[],
  write: (to: Write) => Promise<void>,
): Promise<void> {
  const [staged] = files as [NewFile]
  let unsynced = 0
  let failed: unknown
  let syncing: Promise<void> | null = null
  try {
    await write(async pieces => {
      await staged.write(pieces)
      for (const piece of pieces) unsynced += piece.length
      if (unsynced < EARLY_BYTES || syncing) return
      unsynced = 0
      syncing = sideBySide(...files.map(file => file.sync()))
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

/**
 * Copies the slices, hashes the whole base and copies it in one pass when they are in its order, as they nearly always
 * are.
 */
async function writeSlices(
  file: PlannedFile,
  content: Content,
  { place, copy, isWhole }: LargeBase,
  write: Write,
): Promise<void> {
  const base = await place.folder.openFile(place.name)
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
      const copying = fresh && !isWhole ? copy?.write([fresh]) : undefined
      const writing = to?.([piece])
      if (fresh) {
        hash.update(fresh)
        hashed = at
      }
      await sideBySide(copying, writing)
    }
    if (to && at < end) isShort = true
  }
}

/** A deleted file that is too large to hold is copied only where that costs nothing. */
async function compareDeleted(file: PlannedFile, { tree, copies }: StagePorts): Promise<void> {
  if (!isLarge(file)) return
  const { place, copy } = await copies(file, await tree.folder(file.folderPath))
  try {
    compare(file, (await place.folder.digest(place.name)).sha256)
    await copy?.sync()
  } finally {
    copy?.close()
  }
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
