/** A caller that waits for an answer and asks again is this quick, itself and the pipes included. */
const QUICK_MS = 0.25

export interface Wakefulness {
  /** A line came. */
  asked(): void
  /** All that came is answered. */
  answered(): void
}

export interface WakefulnessOptions {
  /** Goes once round the event loop without sleeping in it. */
  readonly turn?: (then: () => void) => void
  readonly nowMs?: () => number
}

/**
 * Who asks line by line sends the next a tenth of a millisecond after an answer. A process that has gone to sleep meanwhile takes
 * half as long to wake up. So it stays awake after an answer, a quarter of a millisecond at most, while the last callers
 * were that quick; for any other it sleeps at once.
 */
export function createWakefulness({
  turn = setImmediate,
  nowMs = () => performance.now(),
}: WakefulnessOptions = {}): Wakefulness {
  let averageMs = 2 * QUICK_MS // slow until they have shown otherwise
  let answeredAt: number | undefined
  let isTurning = false

  function goRound(): void {
    isTurning = answeredAt !== undefined && nowMs() - answeredAt < QUICK_MS
    if (isTurning) turn(goRound)
  }

  return {
    asked() {
      if (answeredAt === undefined) return
      const tookMs = Math.min(nowMs() - answeredAt, 4 * QUICK_MS) // one long pause is soon forgotten
      averageMs += (tookMs - averageMs) / 8
      answeredAt = undefined
    },
    answered() {
      answeredAt = nowMs()
      if (averageMs >= QUICK_MS || isTurning) return
      isTurning = true
      turn(goRound)
    },
  }
}
