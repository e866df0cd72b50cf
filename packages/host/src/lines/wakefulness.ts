/** A caller that waits for each answer asks again within this time, its own work and the pipes included. */
const QUICK_MS = 0.25

export interface Wakefulness {
  /** A line came. */
  asked(): void
  /** Every line so far is answered. */
  answered(): void
}

export interface WakefulnessOptions {
  /** Runs the event loop once without sleeping in it. */
  readonly turn?: (then: () => void) => void
  readonly nowMs?: () => number
}

/**
 * A caller that sends line by line sends the next about 0.1 ms after an answer, and a process that has gone to sleep takes
 * half of that again to wake up. So while recent calls come that quickly, the process stays awake after an answer, for
 * 0.25 ms at most; otherwise it sleeps at once.
 */
export function createWakefulness({
  turn = setImmediate,
  nowMs = () => performance.now(),
}: WakefulnessOptions = {}): Wakefulness {
  let averageMs = 2 * QUICK_MS // slow until shown otherwise
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
