import type { BlobRef, Result, Sha256 } from '@filewright/protocol'

export type Pieces = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface PutOptions {
  /** False leaves the flush to the system: after a loss of power the blob may be gone, never wrong. Default true. */
  readonly durable?: boolean
  /** What the bytes must hash to; others are refused and not kept. */
  readonly sha256?: Sha256
}

/** Bytes [start, end) of a blob. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export type PutFailure = 'TOO_LARGE' | 'HASH_MISMATCH'

/**
 * Bytes by their sha256. What is read was checked against its name once, so a torn blob is absent, never wrong.
 * A blob belongs to nobody here: who may read it is decided by whoever holds a row that names it.
 */
export interface Blobs {
  /** Hashes while it writes; putting what is there already writes nothing. */
  put(pieces: Pieces, options?: PutOptions): Promise<Result<BlobRef, PutFailure>>
  has(sha256: Sha256): Promise<boolean>
  size(sha256: Sha256): Promise<number | undefined>
  /** Not to be changed: others may be given the same bytes. */
  get(sha256: Sha256, range?: ByteRange): Promise<Uint8Array | undefined>
  /** Undefined before the first piece when the blob is absent. */
  stream(sha256: Sha256, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>

  /** How much of a resumable upload has arrived: where its next piece goes. */
  uploadOffset(sha256: Sha256): Promise<number>
  /** `offset` must be where the upload stands, else CONFLICT with `details.offset`. */
  appendUpload(
    sha256: Sha256,
    offset: number,
    pieces: Pieces,
  ): Promise<Result<{ readonly offset: number }, 'CONFLICT' | 'LOCKED' | 'TOO_LARGE'>>
  /** Checks the whole against its name; what does not match is thrown away and starts at 0 again. */
  finishUpload(
    sha256: Sha256,
    options?: Pick<PutOptions, 'durable'>,
  ): Promise<Result<BlobRef, 'HASH_MISMATCH' | 'NOT_FOUND' | 'LOCKED'>>

  /**
   * Removes those of `candidates` (default: every blob) that nothing refers to and that were not put within `graceMs`:
   * bytes go in before the row that names them, so a young blob may be about to be named.
   */
  sweep(options: SweepOptions): Promise<{ readonly removed: readonly Sha256[] }>
}

export interface SweepOptions {
  readonly isReferenced: (sha256: Sha256) => boolean | Promise<boolean>
  readonly candidates?: readonly Sha256[]
  readonly graceMs: number
}
