/** One call of many that were sent without waiting for answers. */
export interface OrderedCall<Answered> {
  /** Calls of one lane that follow each other run together; one without a lane runs alone. */
  readonly lane: 'read' | 'draft' | null
  run(): Promise<Answered>
}

/**
 * Answers come in the order asked. Reads run side by side; a read waits for the writes before it, and a write for the
 * reads before it, so that each sees what it would have seen alone (CONTRACT §7). Writes to the draft start in
 * order, each without waiting until the one before is on the disk: they share that wait.
 */
export interface CallOrder<Answered> {
  /** What to wait for before the next call, if anything; it rejects when a call could not be answered. */
  add(call: OrderedCall<Answered>): Promise<void> | undefined
  end(): Promise<void>
}

export interface CallOrderOptions<Answered> {
  readonly print: (answered: Answered) => void
  /** Every call so far is answered. */
  readonly onIdle?: () => void
  /** A call could not be answered; nothing after it is. */
  readonly onFailure: (cause: unknown) => void
}

const MOST_UNDER_WAY = 64

export function createCallOrder<Answered>({
  print,
  onIdle,
  onFailure,
}: CallOrderOptions<Answered>): CallOrder<Answered> {
  let lane: OrderedCall<Answered>['lane'] = null
  let underWay = 0
  let last: Promise<void> = Promise.resolve()
  let makeRoom: (() => void) | undefined

  async function printAfter(before: Promise<void>, answering: Promise<Answered>): Promise<void> {
    answering.catch(() => {}) // awaited below, after the calls before it
    await before
    print(await answering)
    underWay--
    makeRoom?.()
    if (underWay === 0) onIdle?.()
  }

  async function room(): Promise<void> {
    while (underWay >= MOST_UNDER_WAY)
      await Promise.race([last, new Promise<void>(resolve => (makeRoom = resolve))])
  }

  function start(call: OrderedCall<Answered>): Promise<void> | undefined {
    lane = call.lane
    underWay++
    last = printAfter(last, call.run())
    last.catch(onFailure)
    return underWay >= MOST_UNDER_WAY ? room() : undefined
  }

  return {
    add(call) {
      const isTogether = underWay === 0 || (call.lane !== null && call.lane === lane)
      return isTogether ? start(call) : last.then(() => start(call))
    },
    end: () => last,
  }
}
