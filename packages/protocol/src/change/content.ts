import type { Sha256 } from '../words/hash.ts'

/**
 * New content as a list of slices, so that a large file with one changed line never needs two buffers. `base` takes
 * bytes [start, end) of the base; `bytes` are inline.
 */
export type Slice =
  | { readonly from: 'base'; readonly start: number; readonly end: number }
  | { readonly from: 'inline'; readonly bytes: Uint8Array }

export type Content = readonly Slice[]

export function contentLength(content: Content): number {
  let length = 0
  for (const slice of content) length += sliceLength(slice)
  return length
}

export function sliceLength(slice: Slice): number {
  return slice.from === 'base' ? slice.end - slice.start : slice.bytes.length
}

export function inline(bytes: Uint8Array): Content {
  return bytes.length === 0 ? [] : [{ from: 'inline', bytes }]
}

/** The pieces in order, each a view: nothing is copied. */
export function* pieces(content: Content, base: Uint8Array): Generator<Uint8Array> {
  for (const slice of content)
    yield slice.from === 'base' ? base.subarray(slice.start, slice.end) : slice.bytes
}

export function toBytes(content: Content, base: Uint8Array): Uint8Array {
  const only = content[0]
  if (content.length === 1 && only?.from === 'inline') return only.bytes
  const bytes = new Uint8Array(contentLength(content))
  let at = 0
  for (const piece of pieces(content, base)) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Bytes too many to hold: they lie somewhere, and each `stream` reads them from the start. */
export interface StoredBytes {
  readonly sizeBytes: number
  stream(): AsyncIterable<Uint8Array>
}

export type AnyBytes = Uint8Array | StoredBytes

export function sizeOf(bytes: AnyBytes): number {
  return bytes instanceof Uint8Array ? bytes.length : bytes.sizeBytes
}

/** The first bytes, at most `length` of them. */
export async function headOf(bytes: AnyBytes, length: number): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) return bytes.subarray(0, length)
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes.stream()) {
    pieces.push(piece.slice()) // its reader may use the buffer again
    size += piece.length
    if (size >= length) break
  }
  const content = pieces.map(piece => ({ from: 'inline', bytes: piece }) as const)
  return toBytes(content, NONE).subarray(0, length)
}

const NONE = new Uint8Array(0)

/** Content in the workspace's store or a blob store: bytes named by their hash. */
export interface BlobRef {
  readonly sha256: Sha256
  readonly sizeBytes: number
}
