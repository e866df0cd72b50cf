import type { Sha256 } from '@filewright/protocol'
import type { StateBlobs } from '../state/state-blobs.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'

export function createMemoryStateBlobs(): StateBlobs {
  const blobs = new Map<Sha256, { readonly bytes: Uint8Array; readonly lastPut: number }>()
  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes)
      blobs.set(sha256, { bytes: bytes.slice(), lastPut: Date.now() })
      return sha256
    },
    get: async sha256 => blobs.get(sha256)?.bytes,
    sizeOf: async sha256 => blobs.get(sha256)?.bytes.length ?? null,
    async list() {
      return [...blobs].map(([sha256, { bytes }]) => ({ sha256, sizeBytes: bytes.length }))
    },
    async remove(sha256, { unusedSince }) {
      const isUnused = blobs.get(sha256)!.lastPut < unusedSince
      if (isUnused) blobs.delete(sha256)
      return isUnused
    },
  }
}
