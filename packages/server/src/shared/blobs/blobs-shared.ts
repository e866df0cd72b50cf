import { createHash } from 'node:crypto'
import { type BlobRef, LIMITS, ok, type Result, type Sha256 } from '@filewright/protocol'
import { hashMismatch, tooLarge } from '../../store/blob-failures.ts'
import type {
  Blobs,
  ByteRange,
  Pieces,
  PutFailure,
  PutOptions,
  SweepOptions,
} from '../../store/blobs.ts'
import { createByteCache } from '../../store/byte-cache.ts'
import type { Postgres } from '../database/postgres.ts'
import { createBlobRows } from './blob-rows.ts'
import { createUploads } from './blob-uploads.ts'
import type { Bucket } from './bucket.ts'
import {
  deleteParts,
  type InParts,
  newName,
  type Part,
  PartGone,
  partsOf,
  putPart,
  readParts,
  sizeOf,
} from './object-parts.ts'

const CACHE_BYTES = 8 * 1024 * 1024

export interface SharedBlobsOptions {
  readonly maxBytes?: number
  readonly cacheBytes?: number
}

/**
 * Bytes in a bucket, and a row in the database for each blob: the row says which object holds it. An object is written
 * once, under a name of its own, before its row. So a sweep that was delayed deletes an object that nobody names, never
 * one that was put since. Bytes are hashed whenever a blob is read whole.
 */
export function createSharedBlobs(
  database: Postgres,
  bucket: Bucket,
  { maxBytes = LIMITS.blobBytes, cacheBytes = CACHE_BYTES }: SharedBlobsOptions = {},
): Blobs {
  const rows = createBlobRows(database)
  const cache = createByteCache<Uint8Array>(cacheBytes, bytes => bytes.length)
  const { finishUpload, ...uploads } = createUploads(database, bucket, rows, maxBytes)

  async function put(
    pieces: Pieces,
    { sha256: expected }: PutOptions = {},
  ): Promise<Result<BlobRef, PutFailure>> {
    if (pieces instanceof Uint8Array) {
      if (pieces.length > maxBytes) return tooLarge(maxBytes)
      const sha256 = hashOf(pieces)
      if (expected && expected !== sha256) return hashMismatch(expected, sha256)
      if (await rows.touch(sha256)) return ok({ sha256, sizeBytes: pieces.length })
    }
    const stored = await store(bucket, pieces, maxBytes)
    if (!stored) return tooLarge(maxBytes)
    const { sha256, ...inParts } = stored
    if (expected && expected !== sha256) {
      await deleteParts(bucket, inParts.parts)
      return hashMismatch(expected, sha256)
    }
    if (!(await rows.add(sha256, inParts))) await deleteParts(bucket, inParts.parts) // another put it meanwhile
    return ok({ sha256, sizeBytes: sizeOf(inParts) })
  }

  async function get(sha256: Sha256, range?: ByteRange): Promise<Uint8Array | undefined> {
    const cached = cache.get(sha256)
    if (cached)
      return range ? cached.slice(Math.max(0, range.start), Math.max(0, range.end)) : cached
    const found = await stream(sha256, range)
    if (!found) return undefined
    const bytes = await gather(found)
    if (!range) cache.add(sha256, bytes)
    return bytes
  }

  /** The first part is read before the answer, so that a lost object is an absent blob. */
  async function stream(sha256: Sha256, range?: ByteRange) {
    for (let row = await rows.find(sha256); row; row = await rows.findAfter(sha256, row)) {
      const reading = read(bucket, sha256, row, range)
      try {
        const first = await reading.next()
        return beginningWith(first, reading)
      } catch (error) {
        if (!isDamage(error)) throw error
        rows.forget(sha256)
      }
    }
    return undefined
  }

  /** What was put a moment ago may be about to be named: it is tried once more, when that is past. */
  async function sweep(options: SweepOptions) {
    const swept = await sweepNow(options)
    const { candidates, graceMs } = options
    const left = candidates?.filter(sha256 => !swept.removed.includes(sha256)) ?? []
    if (left.length > 0 && graceMs > 0)
      setTimeout(
        () => void sweepNow({ ...options, candidates: left }).catch(() => {}), // the store is away, or closed
        graceMs + 100,
      ).unref()
    return swept
  }

  async function sweepNow({ isReferenced, candidates, graceMs }: SweepOptions) {
    const removed: Sha256[] = []
    for (const sha256 of candidates ?? (await rows.olderThan(graceMs))) {
      if (await isReferenced(sha256)) continue
      const row = await rows.remove(sha256, graceMs)
      if (!row) continue
      cache.delete(sha256)
      await deleteParts(bucket, row.parts)
      removed.push(sha256)
    }
    if (!candidates) await uploads.sweepStale()
    return { removed }
  }

  return {
    put,
    has: async sha256 => (await rows.find(sha256)) !== undefined,
    async size(sha256) {
      const row = await rows.find(sha256)
      return row && sizeOf(row)
    },
    get,
    stream,
    uploadOffset: uploads.uploadOffset,
    appendUpload: uploads.appendUpload,
    finishUpload: sha256 => finishUpload(sha256),
    sweep,
  }
}

/** Undefined when there is too much. What was written is deleted when the pieces break off. */
async function store(bucket: Bucket, pieces: Pieces, maxBytes: number) {
  const hash = createHash('sha256')
  const parts: Part[] = []
  let total = 0
  try {
    for await (const part of partsOf(pieces)) {
      total += part.length
      if (total > maxBytes) break
      hash.update(part)
      parts.push(await putPart(bucket, part))
    }
  } catch (error) {
    await deleteParts(bucket, parts).catch(() => {}) // the cause is the error
    throw error
  }
  if (total <= maxBytes) return { id: newName(), parts, sha256: hash.digest('hex') as Sha256 }
  await deleteParts(bucket, parts)
  return undefined
}

/** Of a whole blob the last piece comes after its hash was compared. */
async function* read(
  bucket: Bucket,
  sha256: Sha256,
  row: InParts,
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  const end = sizeOf(row)
  if (range) {
    yield* readParts(bucket, row, {
      start: Math.max(0, range.start),
      end: Math.min(end, range.end),
    })
    return
  }
  const hash = createHash('sha256')
  let last: Uint8Array | undefined
  for await (const piece of readParts(bucket, row, { start: 0, end })) {
    if (last) yield last
    hash.update(piece)
    last = piece
  }
  if (hash.digest('hex') !== sha256) throw new Damaged(sha256)
  if (last) yield last
}

class Damaged extends Error {
  constructor(sha256: Sha256) {
    super(`The bytes in the bucket are not those of ${sha256}`)
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Damaged || error instanceof PartGone
}

async function* beginningWith(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>) {
  if (first.done) return
  yield first.value
  yield* rest
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return all.length === 1 ? all[0]! : new Uint8Array(Buffer.concat(all))
}

function hashOf(bytes: Uint8Array): Sha256 {
  return createHash('sha256').update(bytes).digest('hex') as Sha256
}
