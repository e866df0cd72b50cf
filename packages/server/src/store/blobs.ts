import type { BlobRef, Result, Sha256 } from '@filewright/protocol'

export type Pieces = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface PutOptions {
  /** False leaves the flush to the system: after a loss of power the blob may be gone, never wrong. Default true. */
  readonly durable?: boolean
  /** The expected hash; other bytes are refused and not kept. */
  readonly sha256?: Sha256
}

/** Bytes [start, end) of a blob. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export type PutFailure = 'TOO_LARGE' | 'HASH_MISMATCH'

/**
 * Bytes by their sha256. Each blob is verified against its name once, so a torn blob is absent, never wrong. Blobs have
 * no owner: the holder of a row that names one decides who may read it.
 */
export interface Blobs {
  /** Hashes while it writes; putting an existing blob writes nothing. */
  put(pieces: Pieces, options?: PutOptions): Promise<Result<BlobRef, PutFailure>>
  has(sha256: Sha256): Promise<boolean>
  size(sha256: Sha256): Promise<number | undefined>
  /** Read only: others may get the same bytes. */
  get(sha256: Sha256, range?: ByteRange): Promise<Uint8Array | undefined>
  /** Undefined before the first piece when the blob is absent. */
  stream(sha256: Sha256, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>

  /** The size of a resumable upload so far: the offset of its next piece. */
  uploadOffset(sha256: Sha256): Promise<number>
  /** `offset` must be the upload's current size, else CONFLICT with `details.offset`. */
  appendUpload(
    sha256: Sha256,
    offset: number,
    pieces: Pieces,
  ): Promise<Result<{ readonly offset: number }, 'CONFLICT' | 'LOCKED' | 'TOO_LARGE'>>
  /** Verifies the whole against its name; on a mismatch it is deleted and starts at 0 again. */
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
