import { randomBytes } from 'node:crypto'
import type { ByteRange, Pieces } from '../../store/blobs.ts'
import type { Bucket } from './bucket.ts'

/** A blob lies in parts of this size, so that neither a request nor our memory holds a large one. */
export const PART_BYTES = 8 * 1024 * 1024

/** The name of an object in the bucket, written once, and its size. */
export type Part = readonly [name: string, size: number]

export interface InParts {
  /** Tells one set of parts from another with the same bytes. */
  readonly id: string
  readonly parts: readonly Part[]
}

export function newName(): string {
  return randomBytes(16).toString('hex')
}

export function sizeOf({ parts }: InParts): number {
  return parts.reduce((sum, [, size]) => sum + size, 0)
}

export async function putPart(bucket: Bucket, bytes: Uint8Array): Promise<Part> {
  const name = newName()
  await bucket.put(name, bytes)
  return [name, bytes.length]
}

/** Pieces as parts, the last one possibly smaller. If the pieces break off, what came before is a part too. */
export async function* partsOf(pieces: Pieces): AsyncGenerator<Uint8Array> {
  const source = pieces instanceof Uint8Array ? [pieces] : pieces
  const held: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of source)
      for (let at = 0; at < piece.length; ) {
        const taken = piece.slice(at, at + PART_BYTES - length) // a copy: the caller may reuse its buffer
        held.push(taken)
        at += taken.length
        length += taken.length
        if (length < PART_BYTES) continue
        yield joined(held.splice(0), length)
        length = 0
      }
  } catch (error) {
    if (length > 0) yield joined(held, length)
    throw error
  }
  if (length > 0) yield joined(held, length)
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The bytes of a range, part by part. Throws when a part is gone. */
export async function* readParts(
  bucket: Bucket,
  { parts }: InParts,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const [name, size] of parts) {
    const from = Math.max(0, start - at)
    const to = Math.min(size, end - at)
    at += size
    if (from >= to) continue
    const isWhole = from === 0 && to === size
    const range = isWhole ? undefined : { start: from, end: to }
    const bytes = await bucket.get(name, range)
    if (bytes?.length !== to - from) throw new PartGone(name)
    yield bytes
  }
}

/** An object that a row names is not in the bucket, or has another size. */
export class PartGone extends Error {
  constructor(name: string) {
    super(`The bucket has no whole object ${name}`)
  }
}

export async function deleteParts(bucket: Bucket, parts: readonly Part[]): Promise<void> {
  for (const [name] of parts) await bucket.delete(name)
}
