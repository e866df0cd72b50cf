import type { Readable, Writable } from 'node:stream'
import { type AnyBytes, sizeOf } from '@filewright/protocol'
import type { MessageParts } from './parts.ts'

const WORD = 4 // bytes of a count or a length, little-endian
const JOINED_BYTES = 64 * 1024 // what a pipe takes at once

/**
 * One frame: how many parts, their lengths, their bytes. Against node's own channel ('advanced' serialization) measured:
 * 50 MB one way 54 : 75 ms, there and back 118 : 184 ms, and one buffer of memory instead of three.
 */
export function writeFrame(stream: Writable, parts: MessageParts, written?: () => void): void {
  const head = frameHead(parts)
  // A small value joins the head, so that a small message is one write; all else goes from where it lies.
  const [value, ...bytes] = parts
  const writes =
    value.length > JOINED_BYTES ? [head, value, ...bytes] : [Buffer.concat([head, value]), ...bytes]
  stream.cork()
  for (const [i, part] of writes.entries())
    stream.write(part, i === writes.length - 1 ? written : undefined)
  stream.uncork()
}

/** How many parts follow, and how long each is. */
export function frameHead(parts: readonly AnyBytes[]): Buffer {
  const head = Buffer.allocUnsafe(WORD * (parts.length + 1))
  head.writeUInt32LE(parts.length, 0)
  for (const [i, part] of parts.entries()) head.writeUInt32LE(sizeOf(part), WORD * (i + 1))
  return head
}

export function readFrames(stream: Readable, onFrame: (parts: MessageParts) => void): void {
  let wanted: Uint8Array[] = [new Uint8Array(WORD)]
  let step: 'count' | 'lengths' | 'bytes' = 'count'
  let part = 0
  let at = 0

  stream.on('data', (chunk: Buffer) => {
    let from = 0
    while (from < chunk.length) {
      const into = wanted[part]!
      const length = Math.min(into.length - at, chunk.length - from)
      into.set(chunk.subarray(from, from + length), at)
      from += length
      at += length
      // Empty parts take no bytes, so they are passed over here.
      while (part < wanted.length && at === wanted[part]!.length) {
        part++
        at = 0
      }
      if (part === wanted.length) advance()
    }
  })

  function advance(): void {
    const read = wanted
    part = 0
    at = 0
    if (step === 'count') {
      wanted = [new Uint8Array(WORD * words(read[0]!)[0]!)]
      step = 'lengths'
    } else if (step === 'lengths') {
      wanted = words(read[0]!).map(length => new Uint8Array(Buffer.allocUnsafeSlow(length).buffer))
      step = 'bytes'
    } else {
      wanted = [new Uint8Array(WORD)]
      step = 'count'
      onFrame(read as unknown as MessageParts)
    }
  }
}

function words(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / WORD }, (_, i) => view.getUint32(i * WORD, true))
}
