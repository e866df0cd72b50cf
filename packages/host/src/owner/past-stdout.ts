import { writeSync } from 'node:fs'
import { Socket } from 'node:net'

/**
 * Writes to stdout at once, without its stream; undefined where only the stream can. A pipe that has become stdout's
 * stream does not block: it takes what it has room for.
 */
export function writerPastStdout(): ((bytes: Uint8Array) => number) | undefined {
  const isPipe = process.stdout instanceof Socket && !process.stdout.isTTY
  return isPipe && process.platform !== 'win32' ? bytes => writeSync(1, bytes) : undefined
}
