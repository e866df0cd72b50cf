export interface BoundedLines {
  readonly maxBytes: number
  onLine(bytes: Buffer): void
  /** The line is skipped; the next one is read. */
  onTooLong(bytes: number): void
}

const LF = 10

/** Takes chunks, gives whole lines; keeps no more of a line than its bound. */
export function takeLines({ maxBytes, onLine, onTooLong }: BoundedLines): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0

  function keep(piece: Buffer): void {
    size += piece.length
    if (size > maxBytes) parts = []
    else if (piece.length > 0) parts.push(piece)
  }

  function endLine(): void {
    const [line, length] = [parts, size]
    parts = []
    size = 0
    if (length > maxBytes) onTooLong(length)
    else onLine(line.length === 1 ? line[0]! : Buffer.concat(line))
  }

  return chunk => {
    let start = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      keep(chunk.subarray(start, end))
      endLine()
      start = end + 1
    }
    keep(chunk.subarray(start))
  }
}
