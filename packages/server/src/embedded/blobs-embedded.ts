import { createHash, randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobRef, LIMITS, ok, type Result, type Sha256 } from '@filewright/protocol'
import {
  hashMismatch,
  noUpload,
  tooLarge,
  uploadElsewhere,
  uploadLocked,
} from '../store/blob-failures.ts'
import type {
  Blobs,
  ByteRange,
  Pieces,
  PutFailure,
  PutOptions,
  SweepOptions,
} from '../store/blobs.ts'
import { createByteCache } from '../store/byte-cache.ts'
import {
  clamp,
  hashOfFile,
  listBlobs,
  openIfThere,
  readFully,
  readPieces,
  removeOlderThan,
  statIfThere,
  writePieces,
} from './blob-files.ts'
import { createBlobPlaces } from './blob-places.ts'
import { syncFolder } from './sync-folder.ts'

const CACHE_BYTES = 8 * 1024 * 1024
const MAX_REMEMBERED = 20_000 // names of verified blobs: some 3 MB
const STALE_MS = 24 * 60 * 60 * 1000 // an upload without progress for a day is abandoned

export interface FileBlobsOptions {
  readonly maxBytes?: number
  readonly cacheBytes?: number
}

/** A blob that this process has verified against its name. */
interface Sound {
  /** 0: not put by this process. */
  readonly lastPut: number
  /** Known to survive a loss of power. */
  readonly flushed: boolean
}

/** Files under `folder`, `ab/cdef…` by their hash; `incoming/` holds what is being written. One process owns it. */
export function createFileBlobs(folder: string, options: FileBlobsOptions = {}): Blobs {
  const { maxBytes = LIMITS.blobBytes, cacheBytes = CACHE_BYTES } = options
  const { incoming, shardOf, pathOf, partOf, ensureFolder } = createBlobPlaces(folder)
  /** Folders whose own directory entry is flushed. */
  const flushedFolders = new Set<string>()
  const sound = new Map<Sha256, Sound>()
  const cache = createByteCache<Uint8Array>(cacheBytes, bytes => bytes.length)
  const uploading = new Set<Sha256>()

  async function put(
    pieces: Pieces,
    { durable = true, sha256: expected }: PutOptions = {},
  ): Promise<Result<BlobRef, PutFailure>> {
    if (pieces instanceof Uint8Array) {
      const sha256 = createHash('sha256').update(pieces).digest('hex') as Sha256
      if (expected && expected !== sha256) return hashMismatch(expected, sha256)
      if (await isSound(sha256)) {
        if (durable && !sound.get(sha256)?.flushed) await flush(sha256)
        remember(sha256, { lastPut: Date.now(), flushed: durable })
        return ok({ sha256, sizeBytes: pieces.length })
      }
    }
    const staged = await stage(pieces, durable)
    if (!staged.ok) return staged
    const { file, sha256, sizeBytes } = staged.value
    if (expected && expected !== sha256) {
      await rm(file, { force: true })
      return hashMismatch(expected, sha256)
    }
    await place(file, sha256, durable)
    if (pieces instanceof Uint8Array) cache.add(sha256, pieces.slice()) // the caller may reuse its buffer
    return ok({ sha256, sizeBytes })
  }

  async function stage(pieces: Pieces, durable: boolean) {
    await ensureFolder(incoming)
    const file = join(incoming, `${randomBytes(12).toString('hex')}.new`)
    const handle = await open(file, 'wx', 0o600)
    try {
      const written = await writePieces(handle, pieces, 0, maxBytes)
      if (durable) await handle.datasync()
      await handle.close()
      if (written)
        return ok({ file, sha256: written.hash.digest('hex') as Sha256, sizeBytes: written.end })
    } catch (error) {
      await handle.close()
      await rm(file, { force: true })
      throw error
    }
    await rm(file, { force: true })
    return tooLarge(maxBytes)
  }

  /** Replaces an existing blob with the same bytes, which repairs a torn one. */
  async function place(file: string, sha256: Sha256, durable: boolean): Promise<void> {
    await ensureFolder(shardOf(sha256))
    await rename(file, pathOf(sha256))
    if (durable) await flushName(sha256)
    remember(sha256, { lastPut: Date.now(), flushed: durable })
  }

  /** Flushes a blob that was put without a flush. */
  async function flush(sha256: Sha256): Promise<void> {
    const handle = await open(pathOf(sha256), 'r+')
    await handle.datasync().finally(() => handle.close())
    await flushName(sha256)
  }

  async function flushName(sha256: Sha256): Promise<void> {
    await syncFolder(shardOf(sha256))
    for (const path of [shardOf(sha256), folder]) {
      if (flushedFolders.has(path)) continue
      await syncFolder(dirname(path))
      flushedFolders.add(path)
    }
  }

  function remember(sha256: Sha256, state: Sound) {
    const flushed = state.flushed || sound.get(sha256)?.flushed === true
    sound.delete(sha256) // a Map keeps insertion order: the newest goes to the end
    sound.set(sha256, { ...state, flushed })
    if (sound.size <= MAX_REMEMBERED) return
    for (const oldest of sound.keys()) {
      sound.delete(oldest)
      return
    }
  }

  /** Whether the blob exists and matches its name; removes a torn one. Reads each blob once per process. */
  async function isSound(sha256: Sha256): Promise<boolean> {
    if (sound.has(sha256)) return true
    const handle = await openIfThere(pathOf(sha256))
    if (!handle) return false
    const found = await hashOfFile(handle).finally(() => handle.close())
    if (found === sha256) remember(sha256, { lastPut: 0, flushed: false })
    else await rm(pathOf(sha256), { force: true })
    return found === sha256
  }

  async function get(sha256: Sha256, range?: ByteRange): Promise<Uint8Array | undefined> {
    const cached = cache.get(sha256)
    if (cached) return range ? cached.subarray(range.start, range.end) : cached
    if (!(await isSound(sha256))) return undefined
    const handle = await open(pathOf(sha256))
    try {
      const { start, end } = clamp(range, (await handle.stat()).size)
      const bytes = new Uint8Array(end - start)
      await readFully(handle, bytes, start)
      if (!range) cache.add(sha256, bytes)
      return bytes
    } finally {
      await handle.close()
    }
  }

  async function* readRange(sha256: Sha256, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const handle = await open(pathOf(sha256))
    try {
      const { start, end } = clamp(range, (await handle.stat()).size)
      yield* readPieces(handle, start, end)
    } finally {
      await handle.close()
    }
  }

  async function uploadOffset(sha256: Sha256): Promise<number> {
    return (await statIfThere(partOf(sha256)))?.size ?? 0
  }

  async function takePart(sha256: Sha256, offset: number, pieces: Pieces) {
    const at = await uploadOffset(sha256)
    if (at !== offset) return uploadElsewhere(sha256, offset, at)
    await ensureFolder(incoming)
    const handle = await open(partOf(sha256), 'a', 0o600)
    const written = await writePieces(handle, pieces, offset, maxBytes).finally(() =>
      handle.close(),
    )
    if (written) return ok({ offset: written.end })
    await rm(partOf(sha256), { force: true })
    return tooLarge(maxBytes)
  }

  async function finish(sha256: Sha256, durable: boolean) {
    const handle = await openIfThere(partOf(sha256), 'r+')
    if (!handle) return (await isSound(sha256)) ? ok(await refOf(sha256)) : noUpload(sha256)
    const found = await hashOfFile(handle)
      .then(hash => (durable ? handle.datasync().then(() => hash) : hash))
      .finally(() => handle.close())
    if (found !== sha256) {
      await rm(partOf(sha256), { force: true })
      return hashMismatch(sha256, found)
    }
    await place(partOf(sha256), sha256, durable)
    return ok(await refOf(sha256))
  }

  /** Two concurrent requests for the same blob would mix their bytes. */
  async function alone<Value>(sha256: Sha256, work: () => Promise<Value>) {
    if (uploading.has(sha256)) return uploadLocked(sha256)
    uploading.add(sha256)
    return work().finally(() => uploading.delete(sha256))
  }

  async function sweep({ isReferenced, candidates, graceMs }: SweepOptions) {
    const removed: Sha256[] = []
    for await (const sha256 of candidates ?? listBlobs(folder)) {
      const file = await statIfThere(pathOf(sha256))
      const lastPut = Math.max(file?.mtimeMs ?? 0, sound.get(sha256)?.lastPut ?? 0)
      const age = Math.max(0, Date.now() - lastPut) // file times are finer than our clock: one may lie ahead
      if (!file || age < graceMs || (await isReferenced(sha256))) continue
      sound.delete(sha256)
      cache.delete(sha256)
      await rm(pathOf(sha256), { force: true })
      removed.push(sha256)
    }
    if (!candidates) await removeOlderThan(STALE_MS, incoming)
    return { removed }
  }

  async function refOf(sha256: Sha256): Promise<BlobRef> {
    return { sha256, sizeBytes: (await stat(pathOf(sha256))).size }
  }

  return {
    put,
    has: isSound,
    size: async sha256 => ((await isSound(sha256)) ? (await refOf(sha256)).sizeBytes : undefined),
    get,
    stream: async (sha256, range) =>
      (await isSound(sha256)) ? readRange(sha256, range) : undefined,
    uploadOffset,
    appendUpload: (sha256, offset, pieces) => alone(sha256, () => takePart(sha256, offset, pieces)),
    finishUpload: (sha256, { durable = true } = {}) => alone(sha256, () => finish(sha256, durable)),
    sweep,
  }
}
