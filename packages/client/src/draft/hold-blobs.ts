import type { Sha256 } from '@filewright/protocol'
import type { Desk } from './draft-view.ts'

const HELD_BYTES = 4 * 1024 * 1024 // per blob; a larger one is read again to save memory

/** A cache for one call: a base it has read or kept is at hand for its later steps, from the plan to the answer. */
export function holdBlobs(desk: Desk): Desk {
  const { blobs } = desk
  const held = new Map<Sha256, Uint8Array>()

  function hold(sha256: Sha256, bytes: Uint8Array): void {
    if (bytes.length <= HELD_BYTES) held.set(sha256, bytes)
  }

  return {
    ...desk,
    blobs: {
      ...blobs,
      async get(sha256) {
        const known = held.get(sha256)
        if (known) return known
        const bytes = await blobs.get(sha256)
        if (bytes) hold(sha256, bytes)
        return bytes
      },
      async put(bytes) {
        const sha256 = await blobs.put(bytes)
        hold(sha256, bytes)
        return sha256
      },
    },
  }
}
