import type { Sha256 } from '@filewright/protocol'

/** Bytes named in the lines of drafts: bases, copied files, pictures. */
export interface StateBlobs {
  /** Durable with the next durable line: the one that names it. */
  put(bytes: Uint8Array): Promise<Sha256>
  /** Undefined: it does not exist, or its bytes do not match its name. */
  get(sha256: Sha256): Promise<Uint8Array | undefined>
  /** Null: it does not exist. */
  sizeOf(sha256: Sha256): Promise<number | null>
  list(): Promise<readonly { readonly sha256: Sha256; readonly sizeBytes: number }[]>
  /** False if it was put again since that moment (ms since 1970), because a line is about to name it. */
  remove(sha256: Sha256, options: { readonly unusedSince: number }): Promise<boolean>
}
