import type { Sha256 } from '@filewright/protocol'
import type { Blobs } from './blobs.ts'

/** Bytes are stored before the row that names them. */
export async function findMissing(
  blobs: Blobs,
  hashes: readonly (Sha256 | null)[],
): Promise<Sha256[]> {
  const missing: Sha256[] = []
  for (const sha256 of new Set(hashes))
    if (sha256 && !(await blobs.has(sha256))) missing.push(sha256)
  return missing
}
