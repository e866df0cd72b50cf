import type { AppliedFile } from '@filewright/protocol'
import type { Damage } from './damage.ts'

/** An applied change set whose versions are not in the store yet. */
export interface WaitingUpload {
  readonly changeSetId: string
  readonly files: readonly AppliedFile[]
}

/** The uploads that remain. */
export interface LeftUploads {
  /** Change sets that were about to be applied. Their checkpoints show whether they were. */
  readonly intended: readonly string[]
  readonly waiting: readonly WaitingUpload[]
}

/** The change sets to upload. */
export interface UploadList {
  /** Loads what can be read. A damaged list is set aside, and a new one starts with the readable part. */
  load(): Promise<LeftUploads & { readonly damage: Damage | undefined }>
  /** Durable on return. */
  intend(changeSetId: string): Promise<void>
  /** Ends the intent. Only written on return: after a loss of power it may still be intended. */
  add(upload: WaitingUpload): Promise<void>
  /** Ends the wait. Only written on return: after a loss of power it may be uploaded again. */
  settle(changeSetId: string): Promise<void>
  /** Lets the list drop settled entries; `left` is everything that still counts. */
  compact(left: LeftUploads): Promise<void>
}
