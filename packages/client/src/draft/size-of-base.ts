import type { Sha256 } from '@filewright/protocol'
import type { StateBlobs } from '../state/state-blobs.ts'

const MOST_SIZES = 10_000
const sizes = new Map<Sha256, number>() // what a hash names never changes its size

/** How large the content is that a draft begins with; asked of the disk once. */
export function sizeOfBase(blobs: StateBlobs, begin: Sha256 | null): number | Promise<number> {
  if (begin === null) return 0
  return sizes.get(begin) ?? askSize(blobs, begin)
}

async function askSize(blobs: StateBlobs, begin: Sha256): Promise<number> {
  const size = await blobs.sizeOf(begin)
  if (size === null) return 0 // loading it says what is wrong
  if (sizes.size >= MOST_SIZES) sizes.delete(sizes.keys().next().value!)
  sizes.set(begin, size)
  return size
}
