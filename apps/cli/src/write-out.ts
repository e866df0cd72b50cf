import { writeSync } from 'node:fs'

const scratch = Buffer.allocUnsafe(256 * 1024)
const MOST_BYTES_A_UNIT = 3 // of UTF-8 for a unit of UTF-16

/**
 * Writes to stdout, into a pipe at once: the way through a stream takes as long as a small answer itself. What the pipe
 * does not take now, and everything after it until that is gone, goes through the stream.
 */
export function writeOut(text: string): void {
  const { stdout } = process
  const isDirect = !stdout.isTTY && stdout.writableLength === 0
  if (!isDirect || text.length * MOST_BYTES_A_UNIT > scratch.length) return void stdout.write(text)
  const length = scratch.write(text)
  const written = writeNow(length)
  if (written < length) stdout.write(Buffer.from(scratch.subarray(written, length)))
}

/** How many of the first bytes were taken. */
function writeNow(length: number): number {
  let written = 0
  try {
    while (written < length) written += writeSync(1, scratch, written, length - written)
  } catch {
    // full, or nobody reads: the stream waits, or tells of it
  }
  return written
}
