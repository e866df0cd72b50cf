import type { SessionEvent } from '@filewright/protocol'

const RECONNECT_MS = 1000

export type Following = {
  /** Asks for what came after the cursor. */
  readonly open: (after: number, signal: AbortSignal) => Promise<Response>
  /** What arrived together. */
  readonly onEvents: (events: readonly SessionEvent[]) => void
  readonly onConnected: (isConnected: boolean) => void
  /** The server does not know the session. */
  readonly onGone: () => void
  /** The log does not reach to where we had come: it is another one, and is read from its beginning. */
  readonly onAnew: () => void
}

/** Hears a session until the signal; a stream that breaks is taken up again behind the last row heard. */
export async function followSession(following: Following, signal: AbortSignal): Promise<void> {
  const { open, onEvents, onConnected, onGone, onAnew } = following
  let cursor = 0
  while (!signal.aborted) {
    try {
      const response = await open(cursor, signal)
      if (response.status === 404) return onGone()
      if (response.status === 400 && cursor > 0) {
        cursor = 0
        onAnew()
        continue
      }
      if (response.ok && response.body) {
        onConnected(true)
        for await (const events of readEvents(response.body)) {
          if (signal.aborted) return
          for (const event of events) if (event.type === 'row') cursor = event.cursor
          onEvents(events)
        }
      }
    } catch {
      // it broke: the loop connects again
    }
    if (signal.aborted) return
    onConnected(false)
    await new Promise(resolve => setTimeout(resolve, RECONNECT_MS))
  }
}

/** Read by hand: EventSource sends no header, and the token belongs in no address. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<SessionEvent[]> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const frames = (rest + next.value).split('\n\n')
    rest = frames.pop() ?? ''
    const events = frames.flatMap(dataOf)
    if (events.length > 0) yield events
  }
}

/** The server writes each event on one line. */
function dataOf(frame: string): SessionEvent[] {
  const line = frame.split('\n').find(line => line.startsWith('data: '))
  return line ? [JSON.parse(line.slice(6))] : []
}
