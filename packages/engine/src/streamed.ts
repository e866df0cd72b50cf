import type { Writable } from 'node:stream'
import { type AnyBytes, headOf, type StoredBytes } from '@filewright/protocol'
import type { DocumentSource } from './engine.ts'
import { frameHead } from './frames.ts'
import type { HostRequest } from './messages.ts'
import { toParts } from './parts.ts'

/** A message whose large files are read while it is written, so that nobody holds them here. */
export type StreamedParts = readonly [Uint8Array, ...AnyBytes[]]

export function toStreamedParts(request: HostRequest): StreamedParts {
  const stored = new Map<Uint8Array, StoredBytes>()
  const standIn = (bytes: AnyBytes): Uint8Array => {
    if (bytes instanceof Uint8Array) return bytes
    const empty = new Uint8Array(0)
    stored.set(empty, bytes)
    return empty
  }
  const [head, ...bytes] = toParts(withFiles(request, standIn))
  return [head, ...bytes.map(part => stored.get(part) ?? part)]
}

function withFiles(request: HostRequest, change: (bytes: AnyBytes) => AnyBytes): HostRequest {
  if (request.type === 'task') return { ...request, files: request.files.map(change) }
  const changed = (source: DocumentSource) => ({ ...source, bytes: change(source.bytes) })
  if (request.type === 'query')
    return {
      ...request,
      files: request.files.map(file => ({ ...file, source: changed(file.source) })),
    }
  if (request.type !== 'document' || !request.source) return request
  return { ...request, source: changed(request.source) }
}

/** Bytes that lie elsewhere were read on their way here. */
export function atHand(bytes: AnyBytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes
  throw new Error('The bytes of a file were not read')
}

/** For an engine in this process: what lies elsewhere is read first. */
export async function withBytesAtHand(request: HostRequest): Promise<HostRequest> {
  const stored: StoredBytes[] = []
  withFiles(request, bytes => {
    if (!(bytes instanceof Uint8Array)) stored.push(bytes)
    return bytes
  })
  if (stored.length === 0) return request
  const whole = new Map<AnyBytes, Uint8Array>()
  for (const each of stored) whole.set(each, await headOf(each, each.sizeBytes))
  return withFiles(request, bytes => whole.get(bytes) ?? bytes)
}

export function isStreamed(parts: StreamedParts): boolean {
  return parts.some(part => !(part instanceof Uint8Array))
}

/** Throws when the bytes are not those that were announced: the reader of the frame then waits for ever. */
export async function writeStreamedFrame(stream: Writable, parts: StreamedParts): Promise<void> {
  stream.write(frameHead(parts))
  for (const part of parts) {
    if (part instanceof Uint8Array) await write(stream, part)
    else await writeStored(stream, part)
  }
}

async function writeStored(stream: Writable, stored: StoredBytes): Promise<void> {
  const { sizeBytes } = stored
  let written = 0
  for await (const piece of stored.stream()) {
    if (stream.destroyed) return // its reader is gone
    written += piece.length
    if (written > sizeBytes) break
    await write(stream, piece)
  }
  if (written !== sizeBytes)
    throw new Error(`a file of ${sizeBytes} bytes changed while it was read`)
}

/** Until it has left: the reader of a file may use its buffer for the next piece. A reader that is gone is no error here. */
function write(stream: Writable, piece: Uint8Array): Promise<void> {
  return new Promise(resolve => stream.write(piece, () => resolve()))
}
