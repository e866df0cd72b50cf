import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { LIMITS } from '@filewright/protocol'

/** The only place that packs and unpacks, so that a browser can supply its own. */
const DEFLATE_LEVEL = 6 // level 4 takes 0.4 of the time and 7 % more bytes
const MAX_EXPANSION = 1032 // the most deflate can reach
const MIN_CHUNK = 64 // the limits of node:zlib

/** Null when the data is broken or does not unpack to exactly `size` bytes. */
export function inflate(packed: Uint8Array, size: number): Uint8Array | null {
  if (size > packed.length * MAX_EXPANSION + MIN_CHUNK) return null
  try {
    // One chunk of the declared size, so nothing is collected and joined.
    const bytes = inflateRawSync(packed, {
      maxOutputLength: Math.max(size, 1),
      chunkSize: Math.max(size, MIN_CHUNK),
    })
    return bytes.length === size ? bytes : null
  } catch {
    return null
  }
}

/** The output of the first `packedLength` bytes; `isWhole` when that is all of it. Null when the data is broken. */
export function inflateStart(
  packed: Uint8Array,
  packedLength: number,
  maxSize: number,
): Uint8Array | null {
  try {
    return inflateRawSync(packed.subarray(0, packedLength), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: Math.max(maxSize, 1),
      chunkSize: Math.max(Math.min(packedLength * 16, maxSize), MIN_CHUNK),
    })
  } catch {
    return null
  }
}

/** Data that packs so well that it would look like a bomb is packed less. */
export function deflate(bytes: Uint8Array): Uint8Array {
  for (const level of [DEFLATE_LEVEL, 1]) {
    const packed = deflateRawSync(bytes, { level, chunkSize: 256 * 1024 })
    const isPlain =
      bytes.length <= LIMITS.packageRatioFrom || bytes.length <= packed.length * LIMITS.packageRatio
    if (isPlain) return packed
  }
  return deflateRawSync(bytes, { level: 0, chunkSize: 256 * 1024 })
}

export function checksum(bytes: Uint8Array): number {
  return crc32(bytes)
}
