import type {
  BlobRef,
  ChangeSetId,
  DocPath,
  RelativePath,
  Result,
  Sha256,
} from '@filewright/protocol'
import type { MovedFile } from '../tree/workspace.ts'

/** A file of a hosted workspace, as the store knows it. */
export interface StoredFile {
  readonly path: RelativePath
  readonly sha256: Sha256
  readonly sizeBytes: number
  /** ISO 8601. */
  readonly time: string
}

/** The files of a workspace that are in a store alone. Whoever holds them is the only one who moves them. */
export interface StoredFiles {
  list(): Promise<readonly StoredFile[]>
  /** Undefined: no version of this workspace has these bytes, or they are lost. */
  read(
    sha256: Sha256,
    range?: { readonly start: number; readonly end: number },
  ): Promise<Uint8Array | undefined>
  sizeOf(sha256: Sha256): Promise<number | undefined>
  put(
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<Result<BlobRef, 'TOO_LARGE' | 'HASH_MISMATCH'>>
  move(
    changeSetId: ChangeSetId,
    moves: readonly MovedFile[],
  ): Promise<Result<readonly NewHead[], 'CONFLICT' | 'NOT_FOUND'>>
  moved(changeSetId: ChangeSetId): Promise<readonly NewHead[] | undefined>
}

export interface NewHead {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly sha256: Sha256 | null
  readonly sizeBytes: number
  readonly time: string
}
