/** One call of many that were sent without waiting for answers. */
export interface OrderedCall<Answered> {
  readonly kind: 'read' | 'write'
  run(): Promise<Answered>
}

/**
 * Answers come in the order asked. Reads run side by side; a read waits for the writes before it, and a write for the
 * reads before it, so that each sees what it would have seen alone (CONTRACT §7). Writes are begun in order, the next
 * without waiting until the last is on the disk: they may share that wait.
 */
export interface CallOrder<Answered> {
  /** Resolves when there is room for the next; rejects when one could not be answered. */
  add(call: OrderedCall<Answered>): Promise<void>
  end(): Promise<void>
}

export interface CallOrderOptions<Answered> {
  readonly print: (answered: Answered) => void
  /** One could not be answered: nothing after it is. */
  readonly onFailure: (cause: unknown) => void
}

const MOST_UNDER_WAY = 64

export function createCallOrder<Answered>({
  print,
  onFailure,
}: CallOrderOptions<Answered>): CallOrder<Answered> {
  let kind: 'read' | 'write' = 'read'
  let underWay = 0
  let last: Promise<void> = Promise.resolve()
  let makeRoom: (() => void) | undefined

  async function printAfter(before: Promise<void>, answering: Promise<Answered>): Promise<void> {
    answering.catch(() => {}) // heard below, after those before it
    await before
    print(await answering)
    underWay--
    makeRoom?.()
  }

  async function room(): Promise<void> {
    while (underWay >= MOST_UNDER_WAY)
      await Promise.race([last, new Promise<void>(resolve => (makeRoom = resolve))])
  }

  return {
    async add(call) {
      if (underWay > 0 && call.kind !== kind) await last
      kind = call.kind
      underWay++
      last = printAfter(last, call.run())
      last.catch(onFailure)
      if (underWay >= MOST_UNDER_WAY) await room()
    },
    end: () => last,
  }
}
