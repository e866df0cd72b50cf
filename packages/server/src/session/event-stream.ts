/**
 * Server-sent events with one write per tick. A reader that falls too far behind is disconnected: it reconnects with the
 * last id it has, and what it missed takes no memory meanwhile.
 */
export interface EventStream {
  readonly response: Response
  send(data: string, id?: string): void
  close(): void
}

const HEARTBEAT_MS = 15_000
const MOST_WAITING = 16 * 1024 * 1024

/** Any of the signals ends it. */
export function openEventStream(
  onClose: () => void,
  ...signals: readonly AbortSignal[]
): EventStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let waiting = ': open\n\n'
  let isScheduled = false
  let isClosed = false

  function flush() {
    isScheduled = false
    if (isClosed || waiting === '') return
    const text = waiting
    waiting = ''
    controller?.enqueue(encoder.encode(text))
    if (controller && controller.desiredSize! < 0) letGo()
  }

  function letGo() {
    end()
    controller?.error(new Error('The reader does not take the events'))
  }

  function write(text: string) {
    waiting += text
    if (isScheduled || isClosed) return
    isScheduled = true
    queueMicrotask(flush)
  }

  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
  heartbeat.unref()

  function end() {
    if (isClosed) return
    isClosed = true
    clearInterval(heartbeat)
    for (const signal of signals) signal.removeEventListener('abort', stop)
    onClose()
  }

  function stop() {
    end()
    try {
      controller?.close()
    } catch {
      // its reader closed it before
    }
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
        flush()
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  )
  for (const signal of signals) signal.addEventListener('abort', stop)
  return {
    response: new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    }),
    send: (data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    close() {
      if (isClosed) return
      flush()
      end()
      controller?.close()
    },
  }
}
