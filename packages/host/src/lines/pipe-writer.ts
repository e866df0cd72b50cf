import type { Writable } from 'node:stream'

export interface PipeWriterOptions {
  readonly stream: Writable
  /** Writes what the pipe takes at once, and returns how much that was; absent where only the stream can write. */
  readonly writeNow?: (bytes: Uint8Array) => number
}

/** A line of pieces at a time, in the order given. */
export type PipeWriter = (pieces: Iterable<string | Buffer>) => void

const ROOM = 64 * 1024

/**
 * Gathers the pieces of a line and writes them at once, past the stream, whose overhead equals the write itself. What the
 * pipe does not take goes to the stream, and so does everything after it until the stream has drained.
 */
export function createPipeWriter({ stream, writeNow }: PipeWriterOptions): PipeWriter {
  const room = Buffer.allocUnsafeSlow(ROOM)
  let used = 0

  function add(piece: string | Buffer): void {
    const most = typeof piece === 'string' ? piece.length * 3 : piece.length // a unit of a string: three bytes at most
    if (used + most > ROOM) flush()
    if (most > ROOM) return send(typeof piece === 'string' ? Buffer.from(piece) : piece)
    used += typeof piece === 'string' ? room.write(piece, used) : piece.copy(room, used)
  }

  function flush(): void {
    if (used === 0) return
    const written = writtenNow(room.subarray(0, used))
    if (written < used) stream.write(Buffer.from(room.subarray(written, used)))
    used = 0
  }

  function send(bytes: Buffer): void {
    const written = writtenNow(bytes)
    if (written < bytes.length) stream.write(bytes.subarray(written))
  }

  function writtenNow(bytes: Uint8Array): number {
    if (!writeNow || stream.writableLength > 0) return 0
    try {
      return writeNow(bytes)
    } catch {
      return 0 // a full pipe; whatever else it is, the stream meets it too and reports it
    }
  }

  return pieces => {
    for (const piece of pieces) add(piece)
    flush()
  }
}
