import type { Sha256 } from '@filewright/protocol'

/**
 * Values derived from recently used blobs, within a byte limit; a value over an eighth of the limit is not cached,
 * because it would evict too much.
 */
export function createByteCache<Value>(maxBytes: number, sizeOf: (value: Value) => number) {
  const entries = new Map<Sha256, Value>()
  let bytes = 0

  function remove(sha256: Sha256) {
    const held = entries.get(sha256)
    if (held === undefined) return
    bytes -= sizeOf(held)
    entries.delete(sha256)
  }

  return {
    get(sha256: Sha256): Value | undefined {
      const found = entries.get(sha256)
      if (found) {
        entries.delete(sha256) // a Map keeps insertion order: last used goes to the end
        entries.set(sha256, found)
      }
      return found
    },
    add(sha256: Sha256, value: Value): void {
      const size = sizeOf(value)
      if (size > maxBytes / 8) return
      remove(sha256)
      entries.set(sha256, value)
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    delete: remove,
  }
}
