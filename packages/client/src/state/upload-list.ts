import type { AppliedFile } from '@filewright/protocol'
import type { Damage } from './damage.ts'

/** An applied change set whose versions the store has not learned. */
export interface WaitingUpload {
  readonly changeSetId: string
  readonly files: readonly AppliedFile[]
}

/** What is left to upload. */
export interface LeftUploads {
  /** Change sets that were about to be applied: their checkpoints show whether they were. */
  readonly intended: readonly string[]
  readonly waiting: readonly WaitingUpload[]
}

/** Applied changes that the store must learn. */
export interface UploadList {
  /** The readable entries; the rest is set aside, and the list continues without it. */
  load(): Promise<LeftUploads & { readonly damage: Damage | undefined }>
  /** Durable on return. */
  intend(changeSetId: string): Promise<void>
  /** No longer intended. Written on return: if a power loss undoes it, it is still intended. */
  add(upload: WaitingUpload): Promise<void>
  /** No longer waiting. Written on return: if a power loss undoes it, it is uploaded again. */
  settle(changeSetId: string): Promise<void>
  /** A good moment to drop settled entries; `left` is everything that still counts. */
  compact(left: LeftUploads): Promise<void>
}
