import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sha256 } from '@filewright/protocol'

/** Where blobs lie under `folder`: `ab/cdef…` by their hash, and in `incoming/` while they are written. */
export function createBlobPlaces(folder: string) {
  const incoming = join(folder, 'incoming')
  const made = new Set<string>()
  const shardOf = (sha256: Sha256) => join(folder, sha256.slice(0, 2))
  return {
    incoming,
    shardOf,
    pathOf: (sha256: Sha256) => join(shardOf(sha256), sha256.slice(2)),
    /** Of an upload in parts. */
    partOf: (sha256: Sha256) => join(incoming, `${sha256}.part`),
    /** Asks the disk once in a process's life. */
    async ensureFolder(path: string): Promise<void> {
      if (made.has(path)) return
      await mkdir(path, { recursive: true, mode: 0o700 })
      made.add(path)
    },
  }
}
