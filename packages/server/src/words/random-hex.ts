import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 4096 // one system call yields hundreds of ids

/** Unguessable hex digits. */
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
    pool.fill(0, used, used + bytes) // used digits do not stay in memory
    used += bytes
    return hex.slice(0, digits)
  }
}

const TAIL_DIGITS = 5

/** Digits that sort in the order they were drawn: the millisecond, then some at random, counted on within it. */
export function createRisingHex(
  randomHex: (digits: number) => string,
  now: () => number = Date.now,
): (digits: number) => string {
  let time = 0
  let timeHex = '0'
  let tail = 0
  const setTime = (to: number) => {
    time = to
    timeHex = to.toString(16) // slow for so large a number, and the same throughout a millisecond
  }
  return digits => {
    const moment = now()
    if (moment > time) {
      setTime(moment)
      tail = Number.parseInt(randomHex(TAIL_DIGITS), 16)
    } else if (++tail === 16 ** TAIL_DIGITS) {
      setTime(time + 1) // even if the clock went back
      tail = 0
    }
    const hex = timeHex + tail.toString(16).padStart(TAIL_DIGITS, '0')
    return hex.padStart(digits, '0').slice(-digits)
  }
}
