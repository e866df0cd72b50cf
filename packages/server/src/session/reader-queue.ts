/** What waits for the reader of a stream, within a bound of its own and one of all readers of this process. */
export interface ReaderQueue {
  readonly body: ReadableStream<Uint8Array>
  put(text: string): void
  /** Bytes. */
  waiting(): number
  /** When the reader has taken nearly all of it; false once it has ended. */
  taken(): Promise<boolean>
  close(): void
  /** Ends it in the middle: the reader asks again, from what it has. */
  breakOff(): void
}

const MOST_WAITING = 16 * 1024 * 1024
/** Of all of them: many readers that take nothing are no reason to run out of memory. */
const MOST_WAITING_TOGETHER = 128 * 1024 * 1024
/** More than a moment's worth: what can wait should. */
export const FULL = 1024 * 1024

const ENCODER = new TextEncoder()

/** Those with more than `FULL`; few, or none. */
const behind = new Set<ReaderQueue>()

/** `onEnd` is called once, however it ends. */
export function createReaderQueue(onEnd: () => void): ReaderQueue {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isEnded = false
  const awaiting: ((isOpen: boolean) => void)[] = []

  function tell(isOpen: boolean) {
    for (const each of awaiting.splice(0)) each(isOpen)
  }

  function end() {
    if (isEnded) return
    isEnded = true
    behind.delete(queue)
    tell(false)
    onEnd()
  }

  /** After each piece that the reader takes. */
  function pull() {
    if (queue.waiting() > FULL) return
    behind.delete(queue)
    tell(true)
  }

  function start(opened: ReadableStreamDefaultController<Uint8Array>) {
    controller = opened
  }

  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING })
  const queue: ReaderQueue = {
    body: new ReadableStream({ start, pull, cancel: end }, strategy),
    put(text) {
      if (isEnded || text === '') return
      controller?.enqueue(ENCODER.encode(text))
      if (queue.waiting() > MOST_WAITING) return queue.breakOff()
      if (queue.waiting() <= FULL) return
      behind.add(queue)
      letGoOfTheSlowest()
    },
    waiting: () => MOST_WAITING - (controller?.desiredSize ?? MOST_WAITING),
    taken() {
      if (isEnded || queue.waiting() <= FULL) return Promise.resolve(!isEnded)
      return new Promise(resolve => awaiting.push(resolve))
    },
    close() {
      if (isEnded) return
      end()
      controller?.close()
    },
    breakOff() {
      if (isEnded) return
      end()
      controller?.error(new Error('The reader does not take the events'))
    },
  }
  return queue
}

/** It reconnects with the last id it has, like any reader that is too slow. */
function letGoOfTheSlowest(): void {
  const sizes = [...behind].map(queue => ({ queue, size: queue.waiting() }))
  const together = sizes.reduce((sum, { size }) => sum + size, 0)
  if (together <= MOST_WAITING_TOGETHER) return
  sizes.sort((a, b) => b.size - a.size)[0]?.queue.breakOff()
}
