import type { Sha256 } from '@filewright/protocol'

/** Bytes that the lines of drafts name: bases, copied files, pictures. */
export interface StateBlobs {
  /** Durable with the next durable line: the one that names it. */
  put(bytes: Uint8Array): Promise<Sha256>
  /** Undefined: it is not there, or is not what its name says. */
  get(sha256: Sha256): Promise<Uint8Array | undefined>
  /** Null: it is not there. */
  sizeOf(sha256: Sha256): Promise<number | null>
  list(): Promise<readonly { readonly sha256: Sha256; readonly sizeBytes: number }[]>
  /** False where it was put again since that moment (ms since 1970): somebody is about to name it. */
  remove(sha256: Sha256, options: { readonly unusedSince: number }): Promise<boolean>
}
