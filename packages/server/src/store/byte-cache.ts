import type { Sha256 } from '@filewright/protocol'

/** The blobs used last, within a bound; one that takes more than an eighth of it is not worth what it drives out. */
export function createByteCache(maxBytes: number) {
  const entries = new Map<Sha256, Uint8Array>()
  let bytes = 0

  function remove(sha256: Sha256) {
    bytes -= entries.get(sha256)?.length ?? 0
    entries.delete(sha256)
  }

  return {
    get(sha256: Sha256): Uint8Array | undefined {
      const found = entries.get(sha256)
      if (found) {
        entries.delete(sha256) // a Map keeps insertion order: last used goes to the end
        entries.set(sha256, found)
      }
      return found
    },
    add(sha256: Sha256, content: Uint8Array): void {
      if (content.length > maxBytes / 8) return
      remove(sha256)
      entries.set(sha256, content)
      bytes += content.length
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    delete: remove,
  }
}
