import type { AppliedFile } from '@filewright/protocol'
import type { Damage } from './damage.ts'

/** A change set that was applied and whose versions the store has not learned. */
export interface WaitingUpload {
  readonly changeSetId: string
  readonly files: readonly AppliedFile[]
}

/** What is left to upload. */
export interface LeftUploads {
  /** Change sets that were about to be applied: whether they were, their checkpoints tell. */
  readonly intended: readonly string[]
  readonly waiting: readonly WaitingUpload[]
}

/** What was applied here and the store must learn. */
export interface UploadList {
  /** What can be read; what cannot is kept aside, and the list goes on without it. */
  load(): Promise<LeftUploads & { readonly damage: Damage | undefined }>
  /** Durable on return. */
  intend(changeSetId: string): Promise<void>
  /** It is intended no more. Written on return: lost with the power, it is still intended. */
  add(upload: WaitingUpload): Promise<void>
  /** It waits no more. Written on return: lost with the power, it is uploaded again. */
  settle(changeSetId: string): Promise<void>
  /** A good moment to let go of what is settled; `left` is all that still counts. */
  compact(left: LeftUploads): Promise<void>
}
