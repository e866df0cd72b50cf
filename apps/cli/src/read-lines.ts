import type { Readable } from 'node:stream'

/**
 * Hands over the lines of a stream of UTF-8 as they come, ended by LF or CRLF; a last one without its end counts too.
 * While `take` waits, nothing more is read. Without an iterator between: that took longer than a small call.
 */
export function readLines(
  stream: Readable,
  take: (line: string) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    let isEnded = false
    let isWaiting = false

    function takeAll(): void {
      let start = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
        start = end + 1
        const waiting = take(line)
        if (!waiting) continue
        text = text.slice(start)
        return waitFor(waiting)
      }
      if (start > 0) text = text.slice(start)
      if (isEnded) end()
    }

    function waitFor(waiting: Promise<void>): void {
      isWaiting = true
      stream.pause()
      waiting.then(() => {
        isWaiting = false
        stream.resume()
        takeAll()
      }, fail)
    }

    function end(): void {
      const last = text
      text = ''
      if (last === '') resolve()
      else Promise.resolve(take(last)).then(resolve, reject)
    }

    function fail(cause: unknown): void {
      stream.destroy()
      reject(cause)
    }

    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
      if (!isWaiting) takeAll()
    })
    stream.on('end', () => {
      isEnded = true
      if (!isWaiting) takeAll()
    })
    stream.on('error', reject)
  })
}
