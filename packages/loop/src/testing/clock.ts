/** Time that moves only on request. */
export interface TestClock {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Wakes the sleepers up to that time, in order; the work they start runs in between. */
  advance(ms: number): Promise<void>
  /** Wakes the next sleeper, again and again, until this is called. */
  runFreely(): () => void
}

interface Sleeper {
  readonly until: number
  wake(): void
}

export function createClock(start = Date.parse('2026-11-02T10:00:00Z')): TestClock {
  let time = start
  let isFree = false
  const sleepers = new Set<Sleeper>()

  /** A few rounds: a woken sleeper may wait for a disk or a stream before it sleeps again. */
  const settle = async () => {
    for (let round = 0; round < 8; round++) await new Promise(resolve => setImmediate(resolve))
  }

  const next = (limit: number) =>
    [...sleepers].filter(({ until }) => until <= limit).sort((a, b) => a.until - b.until)[0]

  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        const sleeper: Sleeper = {
          until: time + ms,
          wake: () => {
            sleepers.delete(sleeper)
            resolve()
          },
        }
        if (signal.aborted) return resolve()
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => sleeper.wake(), { once: true })
        if (!isFree) return
        setImmediate(() => {
          if (!sleepers.has(sleeper)) return
          time = Math.max(time, sleeper.until)
          sleeper.wake()
        })
      }),
    advance: async ms => {
      const limit = time + ms
      await settle()
      for (let sleeper = next(limit); sleeper; sleeper = next(limit)) {
        time = sleeper.until
        sleeper.wake()
        await settle()
      }
      time = limit
      await settle()
    },
    runFreely: () => {
      isFree = true
      return () => {
        isFree = false
      }
    },
  }
}
