import { createHash } from 'node:crypto'
import { LIMITS, ok, type Sha256 } from '@filewright/protocol'
import {
  hashMismatch,
  noUpload,
  tooLarge,
  uploadElsewhere,
  uploadLocked,
} from '../store/blob-failures.ts'
import type { Blobs, Pieces } from '../store/blobs.ts'

/** The same contract without a disk, for tests. */
export function createMemoryBlobs({ maxBytes = LIMITS.blobBytes } = {}): Blobs {
  const blobs = new Map<Sha256, { bytes: Uint8Array; lastPut: number }>()
  const parts = new Map<Sha256, Uint8Array>()
  const uploading = new Set<Sha256>()

  function add(bytes: Uint8Array) {
    const sha256 = hashOf(bytes)
    blobs.set(sha256, { bytes, lastPut: Date.now() })
    return ok({ sha256, sizeBytes: bytes.length })
  }

  const get: Blobs['get'] = async (sha256, range) => {
    const bytes = blobs.get(sha256)?.bytes
    return range ? bytes?.subarray(Math.max(0, range.start), Math.max(0, range.end)) : bytes
  }

  return {
    async put(pieces, options = {}) {
      const bytes = await gather(pieces, maxBytes)
      if (!bytes) return tooLarge(maxBytes)
      if (options.sha256 && options.sha256 !== hashOf(bytes))
        return hashMismatch(options.sha256, hashOf(bytes))
      return add(bytes)
    },
    has: async sha256 => blobs.has(sha256),
    size: async sha256 => blobs.get(sha256)?.bytes.length,
    get,
    async stream(sha256, range) {
      const bytes = await get(sha256, range)
      return bytes && piecesOf(bytes)
    },
    uploadOffset: async sha256 => parts.get(sha256)?.length ?? 0,
    async appendUpload(sha256, offset, pieces) {
      if (uploading.has(sha256)) return uploadLocked(sha256)
      const before = parts.get(sha256) ?? new Uint8Array()
      if (before.length !== offset) return uploadElsewhere(sha256, offset, before.length)
      uploading.add(sha256)
      const more = await gather(pieces, maxBytes - offset).finally(() => uploading.delete(sha256))
      if (!more) {
        parts.delete(sha256)
        return tooLarge(maxBytes)
      }
      parts.set(sha256, new Uint8Array(Buffer.concat([before, more])))
      return ok({ offset: offset + more.length })
    },
    async finishUpload(sha256) {
      if (uploading.has(sha256)) return uploadLocked(sha256)
      const bytes = parts.get(sha256) ?? blobs.get(sha256)?.bytes
      if (!bytes) return noUpload(sha256)
      parts.delete(sha256)
      return hashOf(bytes) === sha256 ? add(bytes) : hashMismatch(sha256, hashOf(bytes))
    },
    async sweep({ isReferenced, candidates, graceMs }) {
      const removed: Sha256[] = []
      for (const sha256 of candidates ?? [...blobs.keys()]) {
        const blob = blobs.get(sha256)
        if (!blob || Date.now() - blob.lastPut < graceMs || (await isReferenced(sha256))) continue
        blobs.delete(sha256)
        removed.push(sha256)
      }
      return { removed }
    },
  }
}

async function gather(pieces: Pieces, maxBytes: number): Promise<Uint8Array | undefined> {
  if (pieces instanceof Uint8Array) return pieces.length > maxBytes ? undefined : pieces.slice()
  const all: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > maxBytes) return undefined
    all.push(piece.slice())
  }
  return new Uint8Array(Buffer.concat(all))
}

async function* piecesOf(bytes: Uint8Array) {
  if (bytes.length > 0) yield bytes
}

function hashOf(bytes: Uint8Array): Sha256 {
  return createHash('sha256').update(bytes).digest('hex') as Sha256
}
