import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sha256 } from '@filewright/protocol'
import type { ByteRange, Pieces } from '../store/blobs.ts'

const PIECE_BYTES = 256 * 1024

/** Returns undefined when there are more bytes than allowed; the caller then removes the partial file. */
export async function writePieces(
  handle: FileHandle,
  pieces: Pieces,
  start: number,
  maxBytes: number,
): Promise<{ hash: Hash; end: number } | undefined> {
  const hash = createHash('sha256')
  let end = start
  for await (const piece of pieces instanceof Uint8Array ? [pieces] : pieces) {
    if (end + piece.length > maxBytes) return undefined
    hash.update(piece)
    for (let at = 0; at < piece.length; )
      at += (await handle.write(piece, at, piece.length - at)).bytesWritten
    end += piece.length
  }
  return { hash, end }
}

/** Reads to `end`, or to the end of the file. */
export async function* readPieces(
  handle: FileHandle,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const buffer = new Uint8Array(Math.min(PIECE_BYTES, end - at))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

export async function readFully(
  handle: FileHandle,
  bytes: Uint8Array,
  start: number,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at)
    if (bytesRead === 0) throw new Error('A blob became shorter while it was read')
    at += bytesRead
  }
}

export async function hashOfFile(handle: FileHandle): Promise<Sha256> {
  const hash = createHash('sha256')
  const buffer = new Uint8Array(PIECE_BYTES) // one for all pieces: a large file would leave as much to be collected
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) break
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('hex') as Sha256
}

/** The part of the range that exists. */
export function clamp(range: ByteRange | undefined, size: number): ByteRange {
  const start = Math.min(Math.max(range?.start ?? 0, 0), size)
  return { start, end: Math.max(start, Math.min(range?.end ?? size, size)) }
}

export async function* listBlobs(folder: string): AsyncGenerator<Sha256> {
  for (const shard of await namesIn(folder))
    if (/^[0-9a-f]{2}$/.test(shard))
      for (const rest of await namesIn(join(folder, shard)))
        if (/^[0-9a-f]{62}$/.test(rest)) yield `${shard}${rest}` as Sha256
}

/** Removes files that were last written longer ago than this. */
export async function removeOlderThan(ageMs: number, folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const file = await statIfThere(join(folder, name))
    if (file && Date.now() - file.mtimeMs > ageMs) await rm(join(folder, name), { force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await orIfAbsent(readdir(folder))) ?? []
}

export function statIfThere(file: string) {
  return orIfAbsent(stat(file))
}

export function openIfThere(file: string, flags = 'r') {
  return orIfAbsent(open(file, flags))
}

async function orIfAbsent<Value>(attempt: Promise<Value>): Promise<Value | undefined> {
  try {
    return await attempt
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
