import { isAscii, isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'

const LF = 10
const CR = 13

/**
 * Passes on the lines of a stream as they arrive, ended by LF or CRLF; the last may have no end. A line that is not UTF-8
 * is undefined, because decoding would lose characters. While `take` waits, nothing more is read. There is no iterator
 * in between: it took longer than a small call.
 */
export function readLines(
  stream: Readable,
  take: (line: string | undefined) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let begun: Buffer[] = [] // of a line that has not ended
    let rest: Buffer | undefined
    let isEnded = false
    let isWaiting = false

    function takeAll(): void {
      while (rest) {
        const end = rest.indexOf(LF)
        if (end < 0) break
        const line = toLine([...begun, rest.subarray(0, end)])
        begun = []
        rest = end + 1 < rest.length ? rest.subarray(end + 1) : undefined
        const waiting = take(line)
        if (waiting) return waitFor(waiting)
      }
      if (rest) begun.push(rest)
      rest = undefined
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
      if (begun.length === 0) return resolve()
      const last = toLine(begun)
      begun = []
      Promise.resolve(take(last)).then(resolve, reject)
    }

    function fail(cause: unknown): void {
      stream.destroy()
      reject(cause)
    }

    stream.on('data', (chunk: Buffer) => {
      rest = rest ? Buffer.concat([rest, chunk]) : chunk // more only while one waits, which pauses the stream
      if (!isWaiting) takeAll()
    })
    stream.on('end', () => {
      isEnded = true
      if (!isWaiting) takeAll()
    })
    stream.on('error', reject)
  })
}

function toLine(parts: readonly Buffer[]): string | undefined {
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length
  if (isAscii(bytes)) return bytes.toString('latin1', 0, end) // most lines are, and need no decoding
  return isUtf8(bytes) ? bytes.toString('utf8', 0, end) : undefined
}
