import { FilewrightError } from './error.ts'

const SILENT_MS = 45_000 // the server says something every 15 s
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000

type Open = (after: number | undefined, signal: AbortSignal) => Promise<Response>

/** Opens the stream, and again behind the last row when it breaks or falls silent; a refusal ends it. */
export async function* followStream<Event extends object>(
  open: Open,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event> {
  let after: number | undefined
  let pause = FIRST_PAUSE_MS
  while (!signal?.aborted) {
    const stop = new AbortController()
    const abort = () => stop.abort()
    signal?.addEventListener('abort', abort)
    try {
      const response = await open(after, stop.signal)
      for await (const event of readEvents<Event>(response, abort)) {
        pause = FIRST_PAUSE_MS
        if ('cursor' in event) after = event.cursor as number
        yield event
      }
    } catch (error) {
      if (error instanceof FilewrightError && error.kind !== 'unavailable') throw error
    } finally {
      signal?.removeEventListener('abort', abort)
      stop.abort()
    }
    if (signal?.aborted) return
    await new Promise(resolve => setTimeout(resolve, pause))
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

/** The JSON of each event; the server writes it on one line. */
async function* readEvents<Event>(response: Response, abort: () => void): AsyncGenerator<Event> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let silence = setTimeout(abort, SILENT_MS)
  let rest = ''
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      clearTimeout(silence)
      silence = setTimeout(abort, SILENT_MS)
      const frames = (rest + next.value).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const line = frame.split('\n').find(each => each.startsWith('data: '))
        if (line) yield JSON.parse(line.slice(6)) as Event
      }
    }
  } finally {
    clearTimeout(silence)
    await reader.cancel().catch(() => {}) // it broke: there is nothing left to cancel
  }
}
