import { createReaderQueue, FULL } from './reader-queue.ts'

/**
 * Server-sent events with one write per tick. A reader that falls too far behind is disconnected: it reconnects with the
 * last id it has, and what it missed takes no memory meanwhile.
 */
export interface EventStream {
  readonly response: Response
  send(data: string, id?: string): void
  /** More waits for the reader than a moment's worth: what can wait should. */
  isFull(): boolean
  /** When the reader has taken nearly all of it; false once the stream has ended. */
  taken(): Promise<boolean>
  /** Ends it in the middle: the reader asks again, from what it has. */
  breakOff(): void
  close(): void
}

const HEARTBEAT_MS = 15_000

/** Any of the signals ends it. */
export function openEventStream(
  onClose: () => void,
  ...signals: readonly AbortSignal[]
): EventStream {
  let unsent = ''
  let isScheduled = false
  let isClosed = false

  const queue = createReaderQueue(() => {
    isClosed = true
    clearInterval(heartbeat)
    for (const signal of signals) signal.removeEventListener('abort', queue.close)
    onClose()
  })

  function flush() {
    isScheduled = false
    const text = unsent
    unsent = ''
    queue.put(text)
  }

  function write(text: string) {
    if (isClosed) return
    unsent += text
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(flush)
  }

  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
  heartbeat.unref()
  queue.put(': open\n\n')
  for (const signal of signals) signal.addEventListener('abort', queue.close)
  return {
    response: new Response(queue.body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    }),
    send: (data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    isFull: () => queue.waiting() + unsent.length > FULL,
    taken() {
      flush()
      return queue.taken()
    },
    breakOff: queue.breakOff,
    close() {
      flush()
      queue.close()
    },
  }
}
