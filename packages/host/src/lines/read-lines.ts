import { isAscii, isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { LIMITS } from '@filewright/protocol'

const LF = 10
const CR = 13
/** A text at its limit with each character escaped, and what is around it. */
const MOST_OF_A_LINE = 6 * LIMITS.textFileBytes + LIMITS.requestBodyBytes

/** A line that was not read, with the reason as a sentence. */
export interface UnreadLine {
  readonly problem: string
}

/**
 * Passes on the lines of a stream as they arrive, ended by LF or CRLF; the last may have no end. A line that is not UTF-8
 * is not read, because decoding would lose characters, and of one that is too long nothing is kept. While `take` waits,
 * nothing more is read. There is no iterator in between: it took longer than a small call.
 */
export function readLines(
  stream: Readable,
  take: (line: string | UnreadLine) => Promise<void> | undefined,
  maxBytes = MOST_OF_A_LINE,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const begun = beginLine(maxBytes)
    let rest: Buffer | undefined
    let isEnded = false
    let isWaiting = false

    function takeAll(): void {
      while (rest) {
        const end = rest.indexOf(LF)
        if (end < 0) break
        begun.add(rest.subarray(0, end))
        const line = begun.end()
        rest = end + 1 < rest.length ? rest.subarray(end + 1) : undefined
        const waiting = take(line)
        if (waiting) return waitFor(waiting)
      }
      if (rest) begun.add(rest)
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
      if (begun.isEmpty()) return resolve()
      Promise.resolve(take(begun.end())).then(resolve, reject)
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

/** The pieces of a line that has not ended. */
function beginLine(maxBytes: number) {
  let parts: Buffer[] = []
  let bytes = 0
  return {
    isEmpty: () => bytes === 0,
    add(piece: Buffer): void {
      bytes += piece.length
      if (bytes > maxBytes) parts = []
      else parts.push(piece)
    },
    end(): string | UnreadLine {
      const [own, size] = [parts, bytes]
      parts = []
      bytes = 0
      return size > maxBytes ? tooLong(size, maxBytes) : toLine(own)
    },
  }
}

const NOT_UTF8: UnreadLine = {
  problem: 'The line is not UTF-8, so characters would be lost: nothing was done.',
}

function tooLong(bytes: number, maxBytes: number): UnreadLine {
  return {
    problem: `The line has ${bytes} bytes, and at most ${maxBytes} are read: nothing was done. Send less at once.`,
  }
}

function toLine(parts: readonly Buffer[]): string | UnreadLine {
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length
  if (isAscii(bytes)) return bytes.toString('latin1', 0, end) // most lines are, and need no decoding
  return isUtf8(bytes) ? bytes.toString('utf8', 0, end) : NOT_UTF8
}
