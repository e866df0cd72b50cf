import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 4096 // the system is asked once for hundreds of ids

/** Hex digits nobody can guess. */
export function createRandomHex(): (digits: number) => string {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return digits => {
    const bytes = Math.ceil(digits / 2)
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const hex = pool.toString('hex', used, used + bytes)
    pool.fill(0, used, used + bytes) // a number used once is not left lying about
    used += bytes
    return hex.slice(0, digits)
  }
}
